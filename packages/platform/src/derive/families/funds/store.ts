import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import { type Funds, nameOf } from './funds.ts';

/** The funds of the intents of the given ones, by `nameOf`. */
export async function loadFunds(tx: ClientBase, funds: readonly Funds[]): Promise<Map<string, Funds>> {
  // `offset 0` keeps the planner from joining whole tables: each key is a step in the index.
  const { rows } = await tx.query<Funds>({
    name: 'load_funds',
    text: `select f.player_id, f.intent_id, revision, encode(fingerprint, 'hex') as fingerprint, counted, at, day, amount,
                  currency, exchange_rate, base_amount, bonus_code
           from unnest($1::bigint[], $2::text[]) as k(player_id, intent_id)
           cross join lateral (
             select * from funds where player_id = k.player_id and intent_id = k.intent_id offset 0
           ) f`,
    values: [funds.map((f) => f.player_id), funds.map((f) => f.intent_id)],
  });
  return new Map(rows.map((row) => [nameOf(row), row]));
}

export async function saveFunds(tx: ClientBase, funds: readonly Funds[]): Promise<void> {
  await tx.query({
    name: 'save_funds',
    text: `insert into funds (player_id, intent_id, revision, fingerprint, counted, at, day, amount, currency,
                              exchange_rate, base_amount, bonus_code)
           select player_id, intent_id, revision, decode(fingerprint, 'hex'), counted, at, day, amount, currency,
                  exchange_rate, base_amount, bonus_code
           from jsonb_to_recordset($1::jsonb)
             as f(player_id bigint, intent_id text, revision int, fingerprint text, counted boolean, at timestamptz,
                  day date, amount numeric, currency text, exchange_rate numeric, base_amount numeric, bonus_code text)
           on conflict (player_id, intent_id) do update set
             revision = excluded.revision, fingerprint = excluded.fingerprint, counted = excluded.counted,
             at = excluded.at, day = excluded.day, amount = excluded.amount, currency = excluded.currency,
             exchange_rate = excluded.exchange_rate, base_amount = excluded.base_amount,
             bonus_code = excluded.bonus_code`,
    values: [JSON.stringify(funds.map((own) => ({ ...own, at: timestamptzText(own.at) })))],
  });
}

/** One row per credit that counts, as `TotalsSpec.facts` wants it. */
export const countedFunds = `
  select player_id, at, day, at as funds_credited_at
  from funds
  where counted`;
