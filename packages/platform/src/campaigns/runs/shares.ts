import type { ClientBase } from 'pg';
import type { Scope } from '../../database/index.ts';
import type { RunRow } from './store.ts';

/*
 * A round takes a limited number of runs of each kind of work: 500 that are due, for example. If one campaign has a million of them, the
 * runs of all other campaigns would wait for minutes. So each campaign that has such runs gets an equal share of the limit.
 *
 * Only a backlog needs shares: if the first runs that an index has do not fill the limit, they are all there are. So a round without a
 * backlog makes no further statement.
 */

/**
 * Replaces some of the first runs by the shares of all campaigns, if the first runs fill the limit. What remains of the limit is filled with
 * the first runs.
 *
 * A round over single players repeats a part of a round that failed, so it needs no shares.
 *
 * @param first locked runs, in the order of an index
 * @param shares a statement by `sharesOf`, with its values from $3 on
 */
export async function shareOut(
  tx: ClientBase,
  first: RunRow[],
  { scope, limit }: { scope: Scope; limit: number },
  shares: { name: string; text: string; values: readonly unknown[] },
): Promise<RunRow[]> {
  if (first.length < limit || 'players' in scope) return first;
  const { name, text, values } = shares;
  const { rows } = await tx.query<RunRow>({ name, text, values: [scope.buckets, limit, ...values] });
  const taken = new Set(rows.map(({ run_id }) => run_id));
  return [...rows, ...first.filter(({ run_id }) => !taken.has(run_id))].slice(0, limit);
}

/**
 * SQL that locks an equal number of runs of each part that has runs. Its value $1 are the buckets, $2 is the limit. If there are more parts
 * than the limit, chance decides, so that each has its turn. All arguments are constant SQL.
 *
 * @param parts a common table expression `parts`: campaigns, or versions of campaigns
 * @param run the condition on a run `r` of a part `c`. It must fit an index that begins with the columns of the part
 * @param order the order of that index
 */
export function sharesOf({
  columns,
  parts,
  run,
  order,
}: Record<'columns' | 'parts' | 'run' | 'order', string>): string {
  return `
  with recursive ${parts}, waiting as materialized (
    select c.* from parts c where (select true from campaign_run r where ${run} order by ${order} limit 1)
  ), shares as materialized (
    select s.run_id from waiting c cross join lateral (
        select r.run_id from campaign_run r where ${run} and (r.player_id & 63) = any($1::int[])
         order by ${order} limit greatest(1, $2::int / (select count(*) from waiting))) s
     order by random() limit $2
  )
  select ${columns} from campaign_run where run_id = any(array(select run_id from shares)) order by run_id for update`;
}
