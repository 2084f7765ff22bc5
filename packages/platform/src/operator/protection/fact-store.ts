import type { ClientBase, Pool } from 'pg';
import type { LookUp } from '../judging/index.ts';
import type { BlockFact, ConsentFact, DetailsFlags, LookUpKnowledge, ProtectionFacts } from './facts.ts';

interface FactRow extends DetailsFlags {
  player_id: number;
  brand_id: number;
  has_details: boolean;
  market: string | null;
  country: string | null;
  zone: string | null;
  blocks: BlockFact[] | null;
  consents: ConsentFact[] | null;
  look_ups: (LookUpKnowledge & { look_up: LookUp })[] | null;
}

const micros = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`;

/**
 * Reads the facts that protect these players. A player who is missing in the result does not exist, or was erased.
 *
 * One statement means one snapshot: an age is never newer than its value, and everything committed before the statement is
 * included.
 */
export async function readProtectionFacts(
  db: Pool | ClientBase,
  playerIds: readonly number[],
): Promise<Map<number, ProtectionFacts>> {
  if (playerIds.length === 0) return new Map();
  const { rows } = await db.query<FactRow>({
    name: 'protection_facts',
    text: `select p.player_id, p.brand_id, f.player_id is not null as has_details, f.market, f.country, f.extra ->> 'time_zone' as zone,
                  f.is_excluded, f.excluded_in_doubt, f.is_blocked, f.blocked_in_doubt,
                  (select json_agg(json_build_object('type_key', b.type_key, 'type', b.type, 'active', b.active,
                            'in_doubt', b.in_doubt, 'unconfirmed', b.unconfirmed, 'source', b.source, 'as_of', ${micros('b.as_of')}) order by b.type_key)
                     from player_block b where b.player_id = p.player_id) as blocks,
                  (select json_agg(json_build_object('type_key', c.type_key, 'type', c.type, 'opted_in', c.opted_in,
                            'in_doubt', c.in_doubt, 'unconfirmed', c.unconfirmed, 'source', c.source, 'as_of', ${micros('c.as_of')}) order by c.type_key)
                     from player_consent c where c.player_id = p.player_id) as consents,
                  (select json_agg(json_build_object('look_up', s.look_up, 'as_of', ${micros('s.as_of')},
                            'outdated', s.news > s.done, 'parked', s.parked, 'failure', s.failure, 'owed', s.requested > s.done,
                            'coming', s.requested > s.done and s.attempts = 0 and s.lane = 0))
                     from player_sync s where s.player_id = p.player_id) as look_ups
             from player p
             left join player_profile f on f.player_id = p.player_id
            where p.player_id = any($1::bigint[]) and p.erased_at is null`,
    values: [[...new Set(playerIds)]],
  });
  return new Map(rows.map((row) => [row.player_id, factsOf(row)]));
}

function factsOf(row: FactRow): ProtectionFacts {
  const {
    player_id,
    brand_id,
    has_details,
    market,
    country,
    zone,
    is_excluded,
    excluded_in_doubt,
    is_blocked,
    blocked_in_doubt,
  } = row;
  return {
    player_id,
    brand_id,
    details: has_details ? { is_excluded, excluded_in_doubt, is_blocked, blocked_in_doubt } : null,
    market,
    country,
    zone,
    blocks: row.blocks ?? [],
    consents: row.consents ?? [],
    look_ups: Object.fromEntries((row.look_ups ?? []).map(({ look_up, ...knowledge }) => [look_up, knowledge])),
  };
}
