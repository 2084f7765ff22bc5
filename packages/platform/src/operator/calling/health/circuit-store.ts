import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { OperatorEndpoint } from '../client/endpoints.ts';
import type { CircuitState } from './circuit.ts';
import type { CircuitReport } from './circuits.ts';

/**
 * Each process reports its circuits every second. A process that has not done so for this long has ended, or is frozen and
 * makes no calls, so its rows are ignored.
 */
const reportHolds = '15 seconds';

/** Replaces the circuits that this process reported before. Closed circuits have no row. */
export async function saveCircuits(pool: Pool, process: string, circuits: readonly CircuitReport[]): Promise<void> {
  await pool.query({
    name: 'save_circuits',
    text: `with reported as (
             select * from jsonb_to_recordset($2::jsonb) as r (
                      brand_id int, endpoint text, state text, open_for_ms float8, next_call_in_ms float8)
           ), gone as (
             delete from operator_circuit c
              where c.reported_at < now() - interval '${reportHolds}'
                and c.process <> $1
                 or c.process = $1 and not exists (
                      select from reported r where r.brand_id = c.brand_id and r.endpoint = c.endpoint)
           )
           insert into operator_circuit as c (brand_id, endpoint, process, state, open_since, next_call_at, reported_at)
           select brand_id, endpoint, $1, state, now() - open_for_ms * interval '1 millisecond',
                  now() + next_call_in_ms * interval '1 millisecond', now()
             from reported
           on conflict (brand_id, endpoint, process) do update
              set state = excluded.state, open_since = excluded.open_since, next_call_at = excluded.next_call_at,
                  reported_at = excluded.reported_at`,
    values: [process, JSON.stringify(circuits)],
  });
}

/** The circuit of an endpoint over all processes: the worst state of any of them. */
export interface EndpointCircuit {
  endpoint: OperatorEndpoint;
  state: Exclude<CircuitState, 'closed'>;
  /** Number of processes that hold calls back. */
  processes: number;
  /** Null if none is open and some are paused. */
  open_since: Micros | null;
  /** When the first of them lets a call through; null means now. */
  next_call_at: Micros | null;
}

/** The circuits of a brand's operator that are not closed. */
export async function readCircuits(pool: Pool, brandId: number): Promise<EndpointCircuit[]> {
  const { rows } = await pool.query<EndpointCircuit>(
    `select endpoint, count(*)::int as processes, min(open_since) as open_since,
            case when count(*) = count(next_call_at) then min(next_call_at) end as next_call_at,
            (array_agg(state order by array_position(array['open', 'probing', 'paused'], state)))[1] as state
       from operator_circuit
      where brand_id = $1 and reported_at > now() - interval '${reportHolds}'
      group by endpoint order by endpoint`,
    [brandId],
  );
  return rows;
}
