import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { OperatorEndpoint } from '../client/endpoints.ts';
import { isRefusal, refusedDetail } from '../storable.ts';

/** Counts of one endpoint within one minute, since the last flush. */
export interface EndpointCounts {
  brand_id: number;
  endpoint: OperatorEndpoint;
  minute: Micros;
  successes: number;
  failures: number;
  latency: number[];
  failures_in_a_row: number;
  /** Time of the first of the consecutive failures; null if the last call succeeded. */
  failing_since: Micros | null;
  last_success_at: Micros | null;
  last_failure_at: Micros | null;
  last_failure: string | null;
  last_failure_detail: string | null;
  last_authenticated_at: Micros | null;
}

export interface EndpointHealth extends Omit<EndpointCounts, 'minute' | 'latency' | 'endpoint'> {
  endpoint: OperatorEndpoint;
  /** The counts since the time that `readEndpoints` was given. */
  recent: { successes: number; failures: number; latency: number[] };
}

const times = ['minute', 'failing_since', 'last_success_at', 'last_failure_at', 'last_authenticated_at'] as const;

/** Adds counts to both tables. Several workers count for one endpoint: sums are added, and the latest time is kept. */
export async function addCounts(tx: ClientBase, counts: readonly EndpointCounts[]): Promise<void> {
  const rows = JSON.stringify(
    counts
      .toSorted((a, b) => a.brand_id - b.brand_id || a.endpoint.localeCompare(b.endpoint) || a.minute - b.minute)
      .map((one) => {
        const texts = times.map((name) => [name, one[name] === null ? null : timestamptzText(one[name])]);
        return { ...one, ...Object.fromEntries(texts) };
      }),
  );
  await tx.query(
    `insert into operator_endpoint as e (brand_id, endpoint, successes, failures, failures_in_a_row, failing_since,
            last_success_at, last_failure_at, last_failure, last_failure_detail, last_authenticated_at)
     select brand_id, endpoint, sum(successes), sum(failures),
            (array_agg(failures_in_a_row order by minute desc))[1], (array_agg(failing_since order by minute desc))[1],
            max(last_success_at), max(last_failure_at),
            (array_agg(last_failure order by last_failure_at desc nulls last))[1],
            (array_agg(last_failure_detail order by last_failure_at desc nulls last))[1], max(last_authenticated_at)
       from jsonb_to_recordset($1::jsonb) as r (brand_id int, endpoint text, minute timestamptz, successes int, failures int,
            failures_in_a_row bigint, failing_since timestamptz, last_success_at timestamptz, last_failure_at timestamptz,
            last_failure text, last_failure_detail text, last_authenticated_at timestamptz)
      group by brand_id, endpoint
      order by brand_id, endpoint
     on conflict (brand_id, endpoint) do update
        set successes = e.successes + excluded.successes,
            failures = e.failures + excluded.failures,
            failures_in_a_row = case when excluded.last_success_at is null then e.failures_in_a_row else 0 end + excluded.failures_in_a_row,
            failing_since = case when excluded.last_success_at is null then coalesce(e.failing_since, excluded.failing_since)
                                 else excluded.failing_since end,
            last_success_at = greatest(e.last_success_at, excluded.last_success_at),
            last_failure_at = greatest(e.last_failure_at, excluded.last_failure_at),
            last_failure = coalesce(excluded.last_failure, e.last_failure),
            last_failure_detail = coalesce(excluded.last_failure_detail, e.last_failure_detail),
            last_authenticated_at = greatest(e.last_authenticated_at, excluded.last_authenticated_at)`,
    [rows],
  );
  await tx.query(
    `insert into operator_endpoint_minute as m (brand_id, endpoint, minute, successes, failures, latency)
     select brand_id, endpoint, minute, successes, failures, latency
       from jsonb_to_recordset($1::jsonb) as r (brand_id int, endpoint text, minute timestamptz, successes int, failures int, latency int[])
      order by brand_id, endpoint, minute
     on conflict (brand_id, endpoint, minute) do update
        set successes = m.successes + excluded.successes,
            failures = m.failures + excluded.failures,
            latency = (select array_agg(a + b order by place)
                         from unnest(m.latency, excluded.latency) with ordinality as both_of (a, b, place))`,
    [rows],
  );
}

/**
 * Stores counts one by one after the database refused them together. If the detail of a row is refused, the row is stored
 * without it; if that is refused too, the row is left out. So a bad row affects only itself.
 * @returns the rows left out
 */
export async function addCountsOneByOne(tx: ClientBase, counts: readonly EndpointCounts[]): Promise<EndpointCounts[]> {
  const refused: EndpointCounts[] = [];
  for (const one of counts) {
    const last_failure_detail = one.last_failure === null ? null : refusedDetail;
    const isAdded = (await addIfTaken(tx, one)) || (await addIfTaken(tx, { ...one, last_failure_detail }));
    if (!isAdded) refused.push(one);
  }
  return refused;
}

async function addIfTaken(tx: ClientBase, one: EndpointCounts): Promise<boolean> {
  await tx.query('savepoint counts_of_one');
  try {
    await addCounts(tx, [one]);
    await tx.query('release savepoint counts_of_one');
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await tx.query('rollback to savepoint counts_of_one');
    return false;
  }
}

/** The health of each endpoint of a brand's operator, with the counts since `since`. */
export async function readEndpoints(pool: Pool, brandId: number, since: Micros): Promise<EndpointHealth[]> {
  const { rows } = await pool.query<
    Omit<EndpointHealth, 'recent'> & { recent_successes: number; recent_failures: number; histograms: number[][] }
  >(
    `select e.brand_id, e.endpoint, e.successes, e.failures, e.failures_in_a_row, e.failing_since, e.last_success_at,
            e.last_failure_at, e.last_failure, e.last_failure_detail, e.last_authenticated_at,
            coalesce(m.successes, 0)::int as recent_successes, coalesce(m.failures, 0)::int as recent_failures,
            coalesce(m.histograms, '[]') as histograms
       from operator_endpoint e
       left join lateral (
         select sum(successes) as successes, sum(failures) as failures, jsonb_agg(latency) as histograms
           from operator_endpoint_minute
          where brand_id = e.brand_id and endpoint = e.endpoint and minute >= $2
       ) m on true
      where e.brand_id = $1
      order by e.endpoint`,
    [brandId, timestamptzText(since)],
  );
  return rows.map(({ recent_successes: successes, recent_failures: failures, histograms, ...endpoint }) => {
    const latency = histograms.reduce<number[]>((sum, one) => one.map((count, place) => count + (sum[place] ?? 0)), []);
    return { ...endpoint, recent: { successes, failures, latency } };
  });
}

/** @returns how many minutes were deleted */
export async function dropMinutesBefore(pool: Pool, before: Micros): Promise<number> {
  const { rowCount } = await pool.query('delete from operator_endpoint_minute where minute < $1', [
    timestamptzText(before),
  ]);
  return rowCount ?? 0;
}
