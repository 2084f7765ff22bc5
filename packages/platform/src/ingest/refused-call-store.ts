import type { Micros, OperatorEventKind } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../database/index.ts';

/** All SQL statements on refused_call. */

/** Why a call was refused, with the status of its answer. */
export const refusalStatuses = {
  no_key: 401,
  unknown_key: 401,
  /** The key belonged to the brand until it was revoked. */
  revoked_key: 401,
  wrong_path: 404,
  wrong_method: 405,
  body_too_large: 413,
  wrong_content_type: 415,
  compressed_body: 415,
} as const;

export type CallRefusal = keyof typeof refusalStatuses;

export const callRefusals = Object.keys(refusalStatuses) as CallRefusal[];

/** How many calls of one reason, kind and key were refused since the last write. */
export interface NewRefusedCallCount {
  /** Whether an unknown key was revoked is determined when the calls are written. */
  reason: Exclude<CallRefusal, 'revoked_key'>;
  kind: OperatorEventKind | null;
  /** SHA-256 of the key. */
  sha256: Buffer | null;
  calls: number;
}

/** How many calls of one reason, kind and key were refused, and when. */
export interface RefusedCallCount {
  reason: CallRefusal;
  kind: OperatorEventKind | null;
  /** The name of the key, if the brand has or had it. */
  key_name: string | null;
  /** The first 8 hexadecimal digits of the SHA-256 of the key. */
  key_start: string | null;
  calls: number;
  first_at: Micros;
  last_at: Micros;
}

/** Maximum number of rows of a brand, and of rows without a brand. */
const mostPerBrand = 50;
/** Whether a row is shown at the moment of a parameter: there was such a call in the 24 hours before. */
const isShown = (now: string) => `r.last_at > ${now}::timestamptz - interval '24 hours'`;

/**
 * Adds calls to the rows of their brand, reason, kind and key. A row that is no longer shown, because there was no such call for 24
 * hours, starts to count again.
 */
export async function writeRefusedCalls(pool: Pool, calls: readonly NewRefusedCallCount[], at: Micros): Promise<void> {
  await pool.query(
    `insert into refused_call as r (brand_id, reason, kind, api_key_id, key_start, calls, first_at, last_at)
     select k.brand_id, case when n.reason = 'unknown_key' and k.revoked_at is not null then 'revoked_key' else n.reason end,
            n.kind, max(k.api_key_id), left(encode(n.sha256, 'hex'), 8), sum(n.calls)::bigint, $5::timestamptz, $5
       from unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[]) as n (reason, kind, sha256, calls)
       left join api_key k on k.sha256 = n.sha256
      group by 1, 2, 3, 5
      -- Two processes that write the same rows lock them in the same order, so they cannot deadlock.
      order by 1, 2, 3, 5
     on conflict (brand_id, reason, kind, key_start) do update
        set calls = excluded.calls + case when ${isShown('$5')} then r.calls else 0 end,
            first_at = case when ${isShown('$5')} then r.first_at else excluded.first_at end,
            last_at = excluded.last_at, api_key_id = excluded.api_key_id`,
    [
      calls.map(({ reason }) => reason),
      calls.map(({ kind }) => kind),
      calls.map(({ sha256 }) => sha256),
      calls.map((one) => one.calls),
      timestamptzText(at),
    ],
  );
}

/** Keeps the newest rows of each brand, and of calls without a brand, and deletes the others. A row that another process is changing stays. */
export async function deleteSurplus(pool: Pool): Promise<void> {
  await pool.query(
    `with placed as (
       select refused_call_id, row_number() over (partition by brand_id order by last_at desc, refused_call_id desc) as place
         from refused_call
     ), surplus as (
       select refused_call_id from refused_call where refused_call_id in (select refused_call_id from placed where place > $1)
          for update skip locked
     )
     delete from refused_call where refused_call_id in (select refused_call_id from surplus)`,
    [mostPerBrand],
  );
}

/** The rows of a brand, and those without a brand, with a call in the last 24 hours. The latest first. */
export async function readRefusedCalls(pool: Pool, brandId: number, now: Micros): Promise<RefusedCallCount[]> {
  const { rows } = await pool.query<RefusedCallCount>(
    `select r.reason, r.kind, k.name as key_name, r.key_start, r.calls, r.first_at, r.last_at
       from refused_call r left join api_key k on k.api_key_id = r.api_key_id
      where (r.brand_id = $1 or r.brand_id is null) and ${isShown('$2')}
      order by r.last_at desc, r.refused_call_id desc`,
    [brandId, timestamptzText(now)],
  );
  return rows;
}
