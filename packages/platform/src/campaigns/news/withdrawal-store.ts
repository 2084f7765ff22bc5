import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { columnsOf, timestamptzText } from '../../database/index.ts';
import type { RunCause } from './news.ts';
import type { PlayerNews } from './store.ts';
import { mayWithdraw, thingBehind, thingOf } from './withdrawn.ts';

/*
 * The ledger has a cursor per writer, so the rollback of a payment may be derived before the payment. The run of the payment does not exist
 * then, and the rollback is no news for it. So withdrawals are noted, and a new run looks whether its cause was withdrawn.
 */

interface Withdrawal {
  player_id: number;
  thing: string;
  at: Micros;
  noted_at: Micros;
}

const columns = columnsOf<Withdrawal>({
  player_id: 'bigint',
  thing: 'text',
  at: 'timestamptz',
  noted_at: 'timestamptz',
});

/** An event that is too old to start a run is not noted, because what it withdraws is older and starts none either. */
export async function noteWithdrawals(tx: ClientBase, news: readonly PlayerNews[]): Promise<void> {
  const latest = new Map<string, Withdrawal>();
  for (const { player_id, news: one } of news) {
    if (one.type !== 'event' || !one.starts || !mayWithdraw(one)) continue;
    const thing = thingOf(one);
    if (thing === undefined) continue;
    const key = `${player_id} ${thing}`;
    const at = Math.max(one.at, latest.get(key)?.at ?? one.at);
    latest.set(key, { player_id, thing, at, noted_at: one.received_at });
  }
  if (latest.size === 0) return;
  await tx.query({
    name: 'note_withdrawals',
    text: `insert into campaign_withdrawal as w (${columns.names}) select ${columns.stored('n')} from ${columns.given('n')}
           on conflict (player_id, thing) do update set at = greatest(w.at, excluded.at), noted_at = excluded.noted_at`,
    values: columns.values([...latest.values()]),
  });
}

/** A run, or the news that may start one. */
export interface Caused {
  player_id: number;
  cause: RunCause;
}

/** @returns whether the cause of a run was withdrawn before the run could hear of it. Only for the given runs */
export async function readWithdrawn(tx: ClientBase, runs: readonly Caused[]): Promise<(run: Caused) => boolean> {
  const things = runs.flatMap(({ player_id, cause }) => {
    const thing = thingBehind(cause);
    return thing === undefined ? [] : [{ player_id, thing }];
  });
  if (things.length === 0) return () => false;
  const { rows } = await tx.query<Pick<Withdrawal, 'player_id' | 'thing' | 'at'>>({
    name: 'read_withdrawals',
    text: `select w.player_id, w.thing, w.at from unnest($1::bigint[], $2::text[]) as k (player_id, thing)
             join campaign_withdrawal w using (player_id, thing)`,
    values: [things.map(({ player_id }) => player_id), things.map(({ thing }) => thing)],
  });
  const found = new Map(rows.map(({ player_id, thing, at }) => [`${player_id} ${thing}`, at]));
  return ({ player_id, cause }) => {
    const at = found.get(`${player_id} ${thingBehind(cause)}`);
    return at !== undefined && at >= cause.at;
  };
}

/** Deletes withdrawals that no late event can need any more. @returns how many */
export async function forgetWithdrawals(pool: Pool, notedBefore: Micros, limit: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'forget_withdrawals',
    text: `delete from campaign_withdrawal where (player_id, thing) in (
             select player_id, thing from campaign_withdrawal where noted_at < $1 order by noted_at limit $2 for update skip locked)`,
    values: [timestamptzText(notedBefore), limit],
  });
  return rowCount ?? 0;
}
