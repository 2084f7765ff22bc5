import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import { type Changed, keyOf } from './decide.ts';
import { winsOf } from './parts.ts';
import type { Purchase } from './purchase.ts';
import type { Ticket } from './ticket.ts';

export interface FactRef {
  player_id: number;
  key: string;
}

/** The purchases that a batch may change, by `nameOf`; those that are not there yet are missing. */
export async function loadPurchases(tx: ClientBase, refs: readonly FactRef[]): Promise<Map<string, Purchase>> {
  if (refs.length === 0) return new Map();
  // `offset 0` keeps the planner from joining whole tables: each key is a step in the index.
  const { rows } = await tx.query<Purchase>({
    name: 'load_lottery_purchases',
    text: `select p.player_id, encode(p.purchase_key, 'hex') as purchase_key, transaction_id, state, at, day, lottery_id,
                  base_amount, conflicts, versions
           from unnest($1::bigint[], $2::text[]) as k(player_id, key)
           cross join lateral (
             select * from lottery_purchase
             where player_id = k.player_id and purchase_key = decode(k.key, 'hex') offset 0
           ) p`,
    values: [refs.map((r) => r.player_id), refs.map((r) => r.key)],
  });
  return new Map(rows.map((row) => [keyOf(row.player_id, row.purchase_key), row]));
}

export async function savePurchases(tx: ClientBase, changed: readonly Changed<Purchase>[]): Promise<void> {
  const purchases = changed.map(({ fact }) => fact);
  await tx.query({
    name: 'save_lottery_purchases',
    text: `insert into lottery_purchase
             (player_id, purchase_key, transaction_id, state, at, day, lottery_id, base_amount, conflicts, versions)
           select player_id, decode(purchase_key, 'hex'), transaction_id, state, at, day, lottery_id, base_amount,
                  conflicts, versions
           from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::date[], $7::text[],
                       $8::numeric[], $9::int[], $10::jsonb[])
             as p(player_id, purchase_key, transaction_id, state, at, day, lottery_id, base_amount, conflicts, versions)
           on conflict (player_id, purchase_key) do update set
             state = excluded.state, at = excluded.at, day = excluded.day, lottery_id = excluded.lottery_id,
             base_amount = excluded.base_amount, conflicts = excluded.conflicts, versions = excluded.versions`,
    values: [
      purchases.map((p) => p.player_id),
      purchases.map((p) => p.purchase_key),
      purchases.map((p) => p.transaction_id),
      purchases.map((p) => p.state),
      purchases.map((p) => p.at),
      purchases.map((p) => p.day),
      purchases.map((p) => p.lottery_id),
      purchases.map((p) => p.base_amount),
      purchases.map((p) => p.conflicts),
      purchases.map((p) => JSON.stringify(p.versions)),
    ],
  });
}

/** The tickets that a batch may change, by `nameOf`; those that are not there yet are missing. */
export async function loadTickets(tx: ClientBase, refs: readonly FactRef[]): Promise<Map<string, Ticket>> {
  if (refs.length === 0) return new Map();
  const { rows } = await tx.query<Ticket>({
    name: 'load_lottery_tickets',
    text: `select t.player_id, encode(t.ticket_key, 'hex') as ticket_key, ticket_id, lottery_id, draw_id, state, orphans,
                  at, day, amount, currency, exchange_rate, base_amount, base_discount, base_payout, line_count,
                  settled_line_count, winning_line_count, settled_at, conflicts, bets, settlements
           from unnest($1::bigint[], $2::text[]) as k(player_id, key)
           cross join lateral (
             select * from lottery_ticket
             where player_id = k.player_id and ticket_key = decode(k.key, 'hex') offset 0
           ) t`,
    values: [refs.map((r) => r.player_id), refs.map((r) => r.key)],
  });
  return new Map(rows.map((row) => [keyOf(row.player_id, row.ticket_key), row]));
}

/** Arrays of arrays have no place in `unnest`, so tickets travel as one JSON document. */
export async function saveTickets(tx: ClientBase, changed: readonly Changed<Ticket>[]): Promise<void> {
  const tickets = changed.map(({ fact, timeZone }) => {
    const wins = winsOf(fact, timeZone);
    return {
      ...fact,
      at: timestamptzText(fact.at),
      settled_at: fact.settled_at === null ? null : timestamptzText(fact.settled_at),
      win_at: wins.map(({ at }) => timestamptzText(at)),
      win_day: wins.map(({ day }) => day),
      win_base_amount: wins.map(({ base_amount }) => base_amount),
    };
  });
  await tx.query({
    name: 'save_lottery_tickets',
    text: `insert into lottery_ticket as t
             (player_id, ticket_key, ticket_id, lottery_id, draw_id, state, orphans, at, day, amount, currency,
              exchange_rate, base_amount, base_discount, base_payout, line_count, settled_line_count,
              winning_line_count, settled_at, conflicts, win_at, win_day, win_base_amount, bets, settlements)
           select player_id, decode(ticket_key, 'hex'), ticket_id, lottery_id, draw_id, state, orphans, at, day, amount,
                  currency, exchange_rate, base_amount, base_discount, base_payout, line_count, settled_line_count,
                  winning_line_count, settled_at, conflicts, win_at, win_day, win_base_amount, bets, settlements
           from jsonb_to_recordset($1::jsonb)
             as t(player_id bigint, ticket_key text, ticket_id text, lottery_id text, draw_id text, state text,
                  orphans int, at timestamptz, day date, amount numeric, currency text, exchange_rate numeric,
                  base_amount numeric, base_discount numeric, base_payout numeric, line_count int,
                  settled_line_count int, winning_line_count int, settled_at timestamptz, conflicts int,
                  win_at timestamptz[], win_day date[], win_base_amount numeric[], bets jsonb, settlements jsonb)
           on conflict (player_id, ticket_key) do update set
             state = excluded.state, orphans = excluded.orphans, at = excluded.at, day = excluded.day,
             amount = excluded.amount, currency = excluded.currency, exchange_rate = excluded.exchange_rate,
             base_amount = excluded.base_amount, base_discount = excluded.base_discount,
             base_payout = excluded.base_payout, line_count = excluded.line_count,
             settled_line_count = excluded.settled_line_count, winning_line_count = excluded.winning_line_count,
             settled_at = excluded.settled_at, conflicts = excluded.conflicts, win_at = excluded.win_at,
             win_day = excluded.win_day, win_base_amount = excluded.win_base_amount, bets = excluded.bets,
             settlements = excluded.settlements`,
    values: [JSON.stringify(tickets)],
  });
}

/**
 * One row per bet and per win that counts, as `TotalsSpec.facts` wants it. The player stands outside the union because
 * PostgreSQL carries no condition of a join into one: by itself it would read both tables whole for every row that is read again.
 */
const counted = (winning: string) => `
  select p.player_id, c.*
  from player_activity p cross join lateral (
    select at, day, lottery_id, base_amount as bet_biggest, null::numeric as win_biggest, at as bet_at,
           null::timestamptz as win_at
    from lottery_purchase where player_id = p.player_id and state = 'bought'
    union all
    select at, day, lottery_id, base_amount, null, at, null
    from lottery_ticket where player_id = p.player_id and state <> 'orphan'
    union all
    select w.at, w.day, t.lottery_id, null, w.base_amount, null, w.at
    from ${winning} t, unnest(t.win_at, t.win_day, t.win_base_amount) as w(at, day, base_amount)
    where t.player_id = p.player_id and t.state <> 'orphan'
  ) c`;

export const countedBetsAndWins = counted('lottery_ticket');

/**
 * `TotalsSpec.factsWithin`. Wins stand the latest first. Those of one ticket are mostly told within hours, so the latest of them
 * leads there by its index; tickets of which they lie further apart have an index of their own.
 */
export function countedWithin(since: string, until: string): string {
  const isSpread = `cardinality(win_at) > 1 and win_at[1] - win_at[cardinality(win_at)] > interval '4 hours'`;
  return counted(`(
      select * from lottery_ticket
      where cardinality(win_at) > 0 and win_at[1] >= ${since} and win_at[1] < ${until} + interval '4 hours'
        and not (${isSpread})
      union all
      select * from lottery_ticket where ${isSpread} and win_at[1] >= ${since}
    )`);
}
