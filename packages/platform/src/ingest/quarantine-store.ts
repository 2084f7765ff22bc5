import type { FieldError, Micros, OperatorEventKind } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../database/index.ts';
import type { QuarantinedBody, QuarantineState } from './quarantine-policy.ts';

/** All SQL statements of the quarantine. */

export interface InvalidBody {
  brand_id: number;
  kind: OperatorEventKind;
  body_sha256: Buffer;
  body: Buffer;
  reasons: FieldError[];
  user_id: string | null;
  tries: number;
  at: Micros;
}

export interface QuarantineItem {
  quarantine_id: number;
  brand_id: number;
  kind: OperatorEventKind;
  reasons: FieldError[];
  user_id: string | null;
  tries: number;
  first_at: Micros;
  last_at: Micros;
  state: QuarantineState;
  resolved_at: Micros | null;
  resolved_by: string | null;
  note: string | null;
}

export interface QuarantineItemWithBody extends QuarantineItem {
  body: Buffer;
  corrected_body: Buffer | null;
}

const itemColumns = `quarantine_id, brand_id, kind, reasons, user_id, tries, first_at, last_at, state,
  resolved_at, resolved_by, note`;

/** Validation rules for bodies that are not JSON. */
const unreadableRules: readonly string[] = ['utf8', 'json', 'json_depth'];

/** Stores each body once and counts its tries. The bodies of one call must differ; the result is in their order. */
export async function keepInvalid(pool: Pool, bodies: readonly InvalidBody[]): Promise<QuarantinedBody[]> {
  const { rows } = await pool.query<QuarantinedBody & { body_sha256: Buffer; brand_id: number; kind: string }>(
    `insert into quarantine (brand_id, kind, body_sha256, body, reasons, user_id, tries, first_at, last_at, unreadable)
     select * from unnest($1::int[], $2::text[], $3::bytea[], $4::bytea[], $5::jsonb[], $6::text[], $7::int[],
                          $8::timestamptz[], $8::timestamptz[], $9::boolean[])
     -- Two api processes that store the same bodies lock their rows in the same order, so they cannot deadlock.
     order by 1, 2, 3
     on conflict (brand_id, kind, body_sha256) do update
       set tries = quarantine.tries + excluded.tries, last_at = excluded.last_at, reasons = excluded.reasons
     returning quarantine_id, brand_id, kind, body_sha256, state, tries, first_at`,
    [
      bodies.map((b) => b.brand_id),
      bodies.map((b) => b.kind),
      bodies.map((b) => b.body_sha256),
      bodies.map((b) => b.body),
      bodies.map((b) => JSON.stringify(b.reasons)),
      bodies.map((b) => b.user_id),
      bodies.map((b) => b.tries),
      bodies.map((b) => timestamptzText(b.at)),
      bodies.map((b) => b.reasons.some(({ rule }) => unreadableRules.includes(rule))),
    ],
  );
  const retained = new Map(rows.map((row) => [keyOf(row), row]));
  return bodies.map((body) => {
    const row = retained.get(keyOf(body));
    if (row === undefined) throw new Error('the quarantine did not store a body');
    return { quarantine_id: row.quarantine_id, state: row.state, tries: row.tries, first_at: row.first_at };
  });
}

/** Identifies a body: the unique key of the table. */
export function keyOf(body: { brand_id: number; kind: string; body_sha256: Buffer }): string {
  return `${body.brand_id} ${body.kind} ${body.body_sha256.toString('base64')}`;
}

export interface QuarantineFilter {
  state?: QuarantineState;
  kind?: OperatorEventKind;
  user_id?: string;
}

/** Newest first. `after` is the last item of the previous page. */
export async function listQuarantine(
  pool: Pool,
  brandId: number,
  filter: QuarantineFilter,
  limit: number,
  after?: { last_at: Micros; quarantine_id: number },
): Promise<QuarantineItem[]> {
  const { rows } = await pool.query<QuarantineItem>(
    `select ${itemColumns} from quarantine
     where brand_id = $1
       and ($2::text is null or state = $2)
       and ($3::text is null or kind = $3)
       and ($4::text is null or user_id = $4)
       and ($5::timestamptz is null or (last_at, quarantine_id) < ($5, $6::bigint))
     order by last_at desc, quarantine_id desc
     limit $7`,
    [
      brandId,
      filter.state ?? null,
      filter.kind ?? null,
      filter.user_id ?? null,
      after ? timestamptzText(after.last_at) : null,
      after?.quarantine_id ?? null,
      limit,
    ],
  );
  return rows;
}

export async function getQuarantined(
  pool: Pool,
  brandId: number,
  quarantineId: number,
): Promise<QuarantineItemWithBody | undefined> {
  const { rows } = await pool.query<QuarantineItemWithBody>(
    `select ${itemColumns}, body, corrected_body from quarantine where brand_id = $1 and quarantine_id = $2`,
    [brandId, quarantineId],
  );
  return rows[0];
}

/** False if the item is no longer open because another person resolved it first. */
export async function resolveQuarantined(
  db: Pool | ClientBase,
  brandId: number,
  quarantineId: number,
  resolution: {
    state: 'reinjected' | 'dismissed';
    at: Micros;
    by: string;
    note: string | null;
    corrected_body: Buffer | null;
    corrected_user_id: string | null;
  },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update quarantine
     set state = $3, resolved_at = $4, resolved_by = $5, note = $6, corrected_body = $7, corrected_user_id = $8
     where brand_id = $1 and quarantine_id = $2 and state = 'open'`,
    [
      brandId,
      quarantineId,
      resolution.state,
      timestamptzText(resolution.at),
      resolution.by,
      resolution.note,
      resolution.corrected_body,
      resolution.corrected_user_id,
    ],
  );
  return rowCount === 1;
}

/** Open items per kind, with the newest of each, for the overview and the go-live steps. */
export async function quarantineCounts(
  pool: Pool,
  brandId: number,
): Promise<{ kind: OperatorEventKind; open: number; last_at: Micros; last_reasons: FieldError[] }[]> {
  const { rows } = await pool.query<{
    kind: OperatorEventKind;
    open: number;
    last_at: Micros;
    last_reasons: FieldError[];
  }>(
    `select k.kind, k.open, newest.last_at, newest.reasons as last_reasons
     from (select kind, count(*) as open from quarantine where brand_id = $1 and state = 'open' group by kind) k
     cross join lateral (
       select last_at, reasons from quarantine q
       where q.brand_id = $1 and q.state = 'open' and q.kind = k.kind
       order by last_at desc, quarantine_id desc
       limit 1
     ) newest`,
    [brandId],
  );
  return rows;
}

/** Open items of all brands, for the metrics. Counts up to 100,000. */
export async function openQuarantine(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ open: number }>(
    `select count(*) as open from (select from quarantine where state = 'open' limit 100000) as item`,
  );
  return rows[0]?.open ?? 0;
}
