import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { loosens } from '../players/index.ts';
import type { WriteClaim } from './claim-store.ts';
import type { WriteFailure } from './retry.ts';

/** How many calls are stored per player and record: three weeks of daily tries. */
const maxAttempts = 20;

export interface WriteAttempt {
  item_ids: readonly number[];
  started_at: Micros;
  took_ms: number;
  request: Record<string, unknown>;
  status: number | null;
  answer: string | null;
  outcome: WriteFailure | 'stored';
  detail: string | null;
}

export async function insertAttempt(tx: PoolClient, claim: WriteClaim, attempt: WriteAttempt): Promise<void> {
  const { player_id, record, brand_id } = claim;
  await tx.query({
    name: 'insert_write_attempt',
    text: `insert into write_back_attempt (player_id, record, brand_id, item_ids, started_at, took_ms, request, status,
                                           answer, outcome, detail)
           values ($1, $2, $3, $4::bigint[], $5, $6, $7::jsonb, $8, $9, $10, $11)`,
    values: [
      player_id,
      record,
      brand_id,
      attempt.item_ids,
      timestamptzText(attempt.started_at),
      Math.round(attempt.took_ms),
      JSON.stringify(attempt.request),
      attempt.status,
      attempt.answer,
      attempt.outcome,
      attempt.detail,
    ],
  });
  await tx.query({
    name: 'drop_old_write_attempts',
    text: `delete from write_back_attempt
            where player_id = $1 and record = $2
              and attempt_id <= (select attempt_id from write_back_attempt where player_id = $1 and record = $2
                                  order by attempt_id desc offset ${maxAttempts} limit 1)`,
    values: [player_id, record],
  });
}

/** Marks items as stored. It does not change items that a newer change has superseded, because their outcome no longer matters. */
export async function markStored(
  tx: PoolClient,
  stored: { item_ids: readonly number[]; at: Micros; confirm_request: number },
): Promise<void> {
  await tx.query({
    name: 'mark_items_stored',
    text: `update write_back_item
              set state = 'stored', stored_at = $2, confirm_request = $3, attempts = 0, tries = 0, due_at = null, failing_since = null
            where item_id = any($1::bigint[]) and latest and state = 'sending'`,
    values: [stored.item_ids, timestamptzText(stored.at), stored.confirm_request],
  });
}

export interface FailedItem {
  item_id: number;
  /** Consecutive failures of this kind. */
  tries: number;
  /** Milliseconds until the next try. */
  delay_ms: number;
  /** True if it was refused together with other items. It is then sent again immediately, alone. The refusal does not count as a try. */
  alone: boolean;
}

export async function markFailed(
  tx: PoolClient,
  failed: {
    items: readonly FailedItem[];
    at: Micros;
    /** The time by the database's clock. */
    database_at: Micros;
    failure: WriteFailure;
    detail: string;
    /** The operator may still carry out the change until this time. Null if it certainly does not. */
    late_until: Micros | null;
  },
): Promise<void> {
  await tx.query({
    name: 'mark_items_failed',
    text: `update write_back_item i
              set state = 'pending', attempts = i.attempts + case when f.alone then 0 else 1 end, tries = f.tries, alone = i.alone or f.alone,
                  due_at = $6::timestamptz + f.delay_ms * interval '1 millisecond',
                  failing_since = coalesce(i.failing_since, $2), failed_at = $2, failure = $3, failure_detail = $4,
                  late_until = case when ${loosens('i')} then greatest(i.late_until, $5) else i.late_until end
             from jsonb_to_recordset($1::jsonb) as f (item_id bigint, tries int, delay_ms bigint, alone boolean)
            where i.item_id = f.item_id and i.latest and i.state = 'sending'`,
    values: [
      JSON.stringify(failed.items),
      timestamptzText(failed.at),
      failed.failure,
      failed.detail,
      failed.late_until === null ? null : timestamptzText(failed.late_until),
      timestamptzText(failed.database_at),
    ],
  });
}
