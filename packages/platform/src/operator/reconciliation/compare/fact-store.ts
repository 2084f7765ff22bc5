import type { Micros, ReconciliationField } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { Withdrawals } from '../answer/hold.ts';
import { type BlockSubject, blockedSubject, excludedSubject, type FieldSubject, subjectOf } from '../fields.ts';
import { stageName } from '../stage/stage-store.ts';
import type { Fact } from './compare.ts';
import { activeFact, type BlockFacts, blockFact, type ConsentFacts, consentFact } from './facts.ts';

/*
 * Finds the players for whom a list and the stored facts differ. PostgreSQL does this for a few thousand players at a
 * time. Then reads the stored facts of these players, and `compareFact` decides. A property test checks that both
 * readings agree.
 */

/** A player in the range that is compared. */
export interface Candidate {
  player_id: number;
  user_id: string;
  listed: boolean;
}

/** The end of the next range of players, and how many are in it; null after the last one. Sorted by user_id, like the list. */
export async function nextStretch(
  tx: ClientBase,
  brandId: number,
  after: string | null,
  size: number,
): Promise<{ end: string; players: number } | null> {
  const { rows } = await tx.query<{ end: string | null; players: number }>({
    name: 'reconciliation_stretch',
    text: `select max(user_id) as end, count(*)::int as players
             from (select user_id from player where brand_id = $1 and ($2::text is null or user_id > $2)
                    order by user_id limit $3) stretch`,
    values: [brandId, after, size],
  });
  const [row] = rows;
  return row === undefined || row.end === null ? null : { end: row.end, players: row.players };
}

export async function countPlayers(
  tx: ClientBase,
  brandId: number,
  after: string | null,
  end: string,
): Promise<number> {
  const { rows } = await tx.query<{ players: number }>({
    name: 'reconciliation_players',
    text: `select count(*)::int as players from player
            where brand_id = $1 and ($2::text is null or user_id > $2) and user_id <= $3`,
    values: [brandId, after, end],
  });
  return rows[0]?.players ?? 0;
}

/**
 * The players of a range for whom list and rows differ, regardless of the age of the rows; at most `limit`, sorted by
 * user_id.
 */
export async function findDiffering(
  tx: ClientBase,
  of: { reconciliation_id: number; brand_id: number; field: ReconciliationField },
  stretch: { after: string | null; end: string; limit: number },
): Promise<Candidate[]> {
  const { rows } = await tx.query<Candidate>(
    `select player_id, user_id, listed
       from (select p.player_id, p.user_id,
                    exists (select from ${stageName(of.reconciliation_id)} s where s.user_id = p.user_id) as listed
               from player p
              where p.brand_id = $1 and ($2::text is null or p.user_id > $2) and p.user_id <= $3) p
      where ${differing(subjectOf(of.field))}
      order by user_id
      limit $4`,
    [of.brand_id, stretch.after, stretch.end, stretch.limit],
  );
  return rows;
}

/**
 * How many players of the brand are opted in, and for how many of them the list would withdraw the consent, because it does not contain
 * them. It does not count changes made in Croupier that are being written, or consents that are newer than the list, because the list
 * does not affect them.
 */
export async function countWithdrawals(
  db: Pool | ClientBase,
  of: { reconciliation_id: number; brand_id: number; as_of: Micros },
  type: string,
): Promise<Withdrawals> {
  const { rows } = await db.query<Withdrawals>(
    `select count(*)::int as opted_in,
            count(*) filter (
              where not exists (select from ${stageName(of.reconciliation_id)} s where s.user_id = p.user_id))::int as missing
       from player p
       join player_consent c on c.player_id = p.player_id and c.type_key = $2
       left join player_sync y on y.player_id = p.player_id and y.look_up = 'consents'
      where p.brand_id = $1 and c.opted_in and not c.in_doubt and not c.unconfirmed
        and greatest(c.as_of, y.as_of) <= $3`,
    [of.brand_id, type.toLowerCase(), timestamptzText(of.as_of)],
  );
  return rows[0] ?? { opted_in: 0, missing: 0 };
}

/** True for a row of `p` (player_id, listed) whose stored facts differ from the list. The type names are constants. */
function differing(subject: FieldSubject): string {
  switch (subject.about) {
    case 'consent':
      return `listed is distinct from exists (
                select from player_consent c
                 where c.player_id = p.player_id and c.type_key = '${subject.type.toLowerCase()}' and c.opted_in and not c.in_doubt)`;
    case 'block':
      return `listed is distinct from (${inForce(subject)})`;
    case 'active':
      return `listed = (${blockSubjects.map(inForce).join(' or ')})
          and (${blockSubjects.map(inForce).join(' or ')} or (${blockSubjects.map(isKnown).join(' and ')}))`;
  }
}

const blockSubjects = [blockedSubject, excludedSubject];
const neverHeard: Fact = { we_say: null, since: null };

function inForce({ type, flag }: BlockSubject): string {
  const doubt = flag === 'is_blocked' ? 'blocked_in_doubt' : 'excluded_in_doubt';
  return `(exists (select from player_block b
                    where b.player_id = p.player_id and b.type_key = '${type.toLowerCase()}' and (b.active or b.in_doubt))
           or exists (select from player_profile d where d.player_id = p.player_id and (d.${flag} or d.${doubt})))`;
}

function isKnown({ type }: BlockSubject): string {
  return `(exists (select from player_block b where b.player_id = p.player_id and b.type_key = '${type.toLowerCase()}')
           or exists (select from player_sync s where s.player_id = p.player_id and s.look_up = 'blocks' and s.as_of is not null))`;
}

/**
 * Locks the rows under which look-ups of these players are written, in the order of their key, until the transaction ends. So
 * the facts read next cannot change before they are used.
 */
export async function lockLookUps(
  tx: ClientBase,
  playerIds: readonly number[],
  lookUps: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'reconciliation_lock',
    text: `select from player_sync where player_id = any($1::bigint[]) and look_up = any($2::text[])
            order by player_id, look_up for update`,
    values: [playerIds, lookUps],
  });
}

/** The stored value of each player for the field, and since when. */
export async function readFacts(
  tx: ClientBase,
  field: ReconciliationField,
  playerIds: readonly number[],
): Promise<Map<number, Fact>> {
  const subject = subjectOf(field);
  switch (subject.about) {
    case 'consent':
      return readConsentFacts(tx, subject.type, playerIds);
    case 'block':
      return readBlockFacts(tx, subject, playerIds);
    case 'active': {
      const blocked = await readBlockFacts(tx, blockedSubject, playerIds);
      const excluded = await readBlockFacts(tx, excludedSubject, playerIds);
      return new Map(
        playerIds.map((id) => [id, activeFact(blocked.get(id) ?? neverHeard, excluded.get(id) ?? neverHeard)]),
      );
    }
  }
}

async function readConsentFacts(
  tx: ClientBase,
  type: string,
  playerIds: readonly number[],
): Promise<Map<number, Fact>> {
  const { rows } = await tx.query<ConsentFacts & { player_id: number }>({
    name: 'reconciliation_consent_facts',
    text: `select p.player_id, c.opted_in, coalesce(c.in_doubt, false) as in_doubt, c.as_of as row_as_of,
                  s.as_of as consents_looked_up, coalesce(c.unconfirmed, false) as unconfirmed
             from unnest($1::bigint[]) as p (player_id)
             left join player_consent c on c.player_id = p.player_id and c.type_key = $2
             left join player_sync s on s.player_id = p.player_id and s.look_up = 'consents'`,
    values: [playerIds, type.toLowerCase()],
  });
  return new Map(rows.map(({ player_id, ...facts }) => [player_id, consentFact(facts)]));
}

async function readBlockFacts(
  tx: ClientBase,
  { type, flag }: BlockSubject,
  playerIds: readonly number[],
): Promise<Map<number, Fact>> {
  const { rows } = await tx.query<BlockFacts & { player_id: number }>({
    name: `reconciliation_block_facts_${flag}`,
    text: `select p.player_id, b.active, coalesce(b.in_doubt, false) as in_doubt, b.as_of as row_as_of,
                  d.${flag} as flag, coalesce(d.${flag === 'is_blocked' ? 'blocked_in_doubt' : 'excluded_in_doubt'}, false) as flag_in_doubt,
                  (d.older ->> $3)::bigint as flag_older,
                  sb.as_of as blocks_looked_up, sd.as_of as details_looked_up, coalesce(b.unconfirmed, false) as unconfirmed
             from unnest($1::bigint[]) as p (player_id)
             left join player_block b on b.player_id = p.player_id and b.type_key = $2
             left join player_profile d on d.player_id = p.player_id
             left join player_sync sb on sb.player_id = p.player_id and sb.look_up = 'blocks'
             left join player_sync sd on sd.player_id = p.player_id and sd.look_up = 'details'`,
    values: [playerIds, type.toLowerCase(), flag],
  });
  return new Map(rows.map(({ player_id, ...facts }) => [player_id, blockFact(facts)]));
}
