import type { DecimalText, Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { databaseTime, timestamptzText } from '../../database/index.ts';

/** One publication of one intent: a row of funds_publication. */
export interface Publication {
  intent_id: string;
  revision: number;
  brand_id: number;
  player_id: number;
  status: 'Approved' | 'Rollback';
  at: Micros;
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText | null;
  bonus_code: string;
}

/** Whether there is anything to note or to publish. It costs one statement; two transactions that find nothing cost six. */
export async function isFundsWorkDue(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query({
    name: 'is_funds_work_due',
    text: `(select true from bonus_intent i where i.kind = 'funds' and (i.state = 'credited') <> i.funds_told
             order by i.intent_id limit 1)
           union all
           (select true from funds_publication f where f.due_at <= now() order by f.due_at limit 1)`,
  });
  return rows.length > 0;
}

/** Locks intents whose last publication differs from their current state. Skips those that another worker has locked. */
export async function lockUnpublished(tx: ClientBase, limit: number): Promise<Publication[]> {
  const { rows } = await tx.query<Publication>({
    name: 'lock_unpublished_funds',
    text: `select i.intent_id, i.funds_revision + 1 as revision, i.brand_id, i.player_id,
                  case when i.state = 'credited' then 'Approved' else 'Rollback' end as status,
                  coalesce(i.last_attempt_at, i.state_since) as at, i.amount, i.currency, i.bonus_code,
                  (select r.exchange_rate from bonus_reservation r
                   where r.intent_id = i.intent_id and r.exchange_rate is not null order by r.budget_id limit 1) as exchange_rate
           from bonus_intent i
           where i.kind = 'funds' and (i.state = 'credited') <> i.funds_told
           order by i.intent_id limit $1 for no key update skip locked`,
    values: [limit],
  });
  return rows;
}

/** Stores publications, and marks their intents as published. */
export async function notePublications(
  tx: ClientBase,
  publications: readonly Publication[],
  at: Micros,
): Promise<void> {
  await tx.query({
    name: 'note_funds_publications',
    text: `with noted as (
             insert into funds_publication (intent_id, revision, brand_id, player_id, status, at, amount, currency,
                                            exchange_rate, bonus_code, noted_at)
             select p.intent_id, p.revision, p.brand_id, p.player_id, p.status, p.at, p.amount, p.currency, p.exchange_rate,
                    p.bonus_code, $2
             from jsonb_to_recordset($1::jsonb)
               as p(intent_id uuid, revision int, brand_id int, player_id bigint, status text, at timestamptz,
                    amount numeric, currency text, exchange_rate numeric, bonus_code text)
             returning intent_id, revision, status
           )
           update bonus_intent i set funds_told = n.status = 'Approved', funds_revision = n.revision
           from noted n where i.intent_id = n.intent_id`,
    values: [
      JSON.stringify(publications.map((each) => ({ ...each, at: timestamptzText(each.at) }))),
      timestamptzText(at),
    ],
  });
}

/**
 * Locks due publications, in the order in which they must be published. user_id is null if the player is no longer known, or
 * was erased.
 */
export async function lockDue(tx: ClientBase, limit: number): Promise<(Publication & { user_id: string | null })[]> {
  const { rows } = await tx.query<Publication & { user_id: string | null }>({
    name: 'lock_due_funds',
    text: `select f.intent_id, f.revision, f.brand_id, f.player_id, f.status, f.at, f.amount, f.currency, f.exchange_rate,
                  f.bonus_code, p.user_id
           from funds_publication f left join player p on p.player_id = f.player_id and p.erased_at is null
           where f.due_at <= now() order by f.due_at, f.intent_id, f.revision limit $1
           for no key update of f skip locked`,
    values: [limit],
  });
  return rows;
}

type Key = Pick<Publication, 'intent_id' | 'revision'>;

export async function deletePublications(tx: ClientBase, keys: readonly Key[]): Promise<void> {
  await tx.query({
    name: 'delete_funds_publications',
    text: `delete from funds_publication where (intent_id, revision) in (select * from unnest($1::uuid[], $2::int[]))`,
    values: [keys.map(({ intent_id }) => intent_id), keys.map(({ revision }) => revision)],
  });
}

/** Postpones rows whose rate is unknown. */
export async function postponePublications(tx: ClientBase, keys: readonly Key[], waitMs: number): Promise<void> {
  await tx.query({
    name: 'postpone_funds_publications',
    text: `update funds_publication set due_at = $4::timestamptz + $3::bigint * interval '1 millisecond'
           where (intent_id, revision) in (select * from unnest($1::uuid[], $2::int[]))`,
    values: [
      keys.map(({ intent_id }) => intent_id),
      keys.map(({ revision }) => revision),
      waitMs,
      timestamptzText(await databaseTime(tx)),
    ],
  });
}

export interface WaitingFunds extends Publication {
  user_id: string | null;
  noted_at: Micros;
}

/** Credited funds of a brand that are not yet part of its figures, oldest first. */
export async function listWaitingFunds(
  db: Pool | ClientBase,
  brandId: number,
  limit: number,
  after?: { noted_at: Micros; intent_id: string; revision: number },
): Promise<WaitingFunds[]> {
  const { rows } = await db.query<WaitingFunds>(
    `select f.intent_id, f.revision, f.brand_id, f.player_id, f.status, f.at, f.amount, f.currency, f.exchange_rate,
            f.bonus_code, f.noted_at, p.user_id
     from funds_publication f left join player p on p.player_id = f.player_id
     where f.brand_id = $1 and ($3::timestamptz is null or (f.noted_at, f.intent_id, f.revision) > ($3, $4::uuid, $5::int))
     order by f.noted_at, f.intent_id, f.revision limit $2`,
    [
      brandId,
      limit,
      after === undefined ? null : timestamptzText(after.noted_at),
      after?.intent_id ?? null,
      after?.revision ?? null,
    ],
  );
  return rows;
}
