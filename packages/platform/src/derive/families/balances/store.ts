import type { ClientBase } from 'pg';
import { type Balance, nameOf } from './balance.ts';

/** The balances with the keys of the given ones, by `nameOf`. */
export async function loadBalances(tx: ClientBase, balances: readonly Balance[]): Promise<Map<string, Balance>> {
  const keys = [...new Map(balances.map((balance) => [nameOf(balance), balance])).values()];
  // `offset 0` keeps the planner from joining whole tables: each key is a step in the index.
  const { rows } = await tx.query<Balance>({
    name: 'load_balances',
    text: `select b.player_id, b.key, at, encode(fingerprint, 'hex') as fingerprint, amount, currency, exchange_rate,
                  base_amount, origin
           from unnest($1::bigint[], $2::text[]) as k(player_id, key)
           cross join lateral (
             select * from balance where player_id = k.player_id and key = k.key offset 0
           ) b`,
    values: [keys.map((k) => k.player_id), keys.map((k) => k.key)],
  });
  return new Map(rows.map((row) => [nameOf(row), row]));
}

export async function saveBalances(tx: ClientBase, balances: readonly Balance[]): Promise<void> {
  await tx.query({
    name: 'save_balances',
    text: `insert into balance (player_id, key, at, fingerprint, amount, currency, exchange_rate, base_amount, origin)
           select player_id, key, at, decode(fingerprint, 'hex'), amount, currency, exchange_rate, base_amount, origin
           from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::numeric[], $6::text[], $7::numeric[],
                       $8::numeric[], $9::text[])
             as b(player_id, key, at, fingerprint, amount, currency, exchange_rate, base_amount, origin)
           on conflict (player_id, key) do update set
             at = excluded.at, fingerprint = excluded.fingerprint, amount = excluded.amount, currency = excluded.currency,
             exchange_rate = excluded.exchange_rate, base_amount = excluded.base_amount, origin = excluded.origin`,
    values: [
      balances.map((b) => b.player_id),
      balances.map((b) => b.key),
      balances.map((b) => b.at),
      balances.map((b) => b.fingerprint),
      balances.map((b) => b.amount),
      balances.map((b) => b.currency),
      balances.map((b) => b.exchange_rate),
      balances.map((b) => b.base_amount),
      balances.map((b) => b.origin),
    ],
  });
}
