import type {
  BalanceTruth,
  BetTotals,
  BetTruth,
  BonusTotals,
  BonusTruth,
  CartTotals,
  CartTruth,
  LotteryTotals,
  ProductTotals,
  PurchaseTruth,
  RoundTruth,
  SessionTruth,
  TicketTruth,
} from '@croupier/sandbox';
import type { Pool } from 'pg';
import type { Facts } from './facts.ts';

/*
 * Facts of one player in the database, renamed to the terms of the truth. They are read from the tables and not through derive's lists, so
 * that no other code lies between the stored data and the check.
 */

/** The sums that every product has (docs/reference/decisions.md 3), over the rows into which a family splits them. */
const product = `
  coalesce(sum(bet_count), 0)::int as bet_count, coalesce(sum(win_count), 0)::int as win_count,
  coalesce(sum(real_bet_sum), 0) as real_bet_sum, coalesce(sum(bonus_bet_sum), 0) as bonus_bet_sum,
  coalesce(sum(locked_bet_sum), 0) as locked_bet_sum, coalesce(sum(real_win_sum), 0) as real_win_sum,
  coalesce(sum(bonus_win_sum), 0) as bonus_win_sum, coalesce(sum(locked_win_sum), 0) as locked_win_sum,
  max(bet_biggest) as bet_biggest, max(win_biggest) as win_biggest,
  min(bet_first_at) as bet_first_at, max(bet_last_at) as bet_last_at,
  min(win_first_at) as win_first_at, max(win_last_at) as win_last_at`;

const counted = (...columns: readonly string[]) =>
  columns.map((name) => `coalesce(sum(${name}), 0)::int as ${name}`).join(', ');
const summed = (...columns: readonly string[]) =>
  columns.map((name) => `coalesce(sum(${name}), 0) as ${name}`).join(', ');

export async function readFacts(pool: Pool, playerId: number): Promise<Facts> {
  const list = async <T>(sql: string) => (await pool.query(sql, [playerId])).rows as T[];
  // An aggregate always has one row.
  const totals = async <T>(sql: string) => (await list<T>(sql))[0] as T;
  const customs = await list<{ name: string; event_count: number }>(
    'select name, event_count from live.custom_count where player_id = $1',
  );
  return {
    // Rows that contain only rollbacks and contradictions are not rounds.
    rounds: await list<RoundTruth>(
      `select vendor_id, game_id, round_id, first_at, last_at, closed, counted, bet_count, win_count, bet_sum, win_sum,
              unpriced
       from live.round where player_id = $1 and played`,
    ),
    sessions: await list<SessionTruth>(
      `select scope, vendor_id, game_id, started_at, ended_at, round_count, bet_count, bet_sum, win_sum
       from live.session where player_id = $1`,
    ),
    casino: await totals<ProductTotals & { round_count: number }>(
      `select ${product}, ${counted('round_count')} from live.casino_total where player_id = $1`,
    ),
    // An orphan is not a bet.
    bets: await list<BetTruth>(
      `select bet_id as activity_id, at as placed_at, state, free, live, base_amount as stake, base_payout as payout,
              settlement_count as settlements, cashout_count as cashouts
       from live.bet where player_id = $1 and state <> 'orphan'`,
    ),
    sports: await totals<BetTotals>(
      `select ${product}, ${counted('settled_count', 'cashout_count', 'free_bet_count', 'live_bet_count')}
       from live.sports_total where player_id = $1`,
    ),
    // The tickets of a rejected purchase are still listed, but do not count.
    purchases: await list<PurchaseTruth>(
      `select transaction_id, state = 'bought' as in_force, at as bought_at, base_amount as stake,
              (select json_agg(json_build_object('ticket_id', t -> 'ticket_id', 'lines', t -> 'lines') order by place)
               from jsonb_array_elements(versions -> 0 -> 'details' -> 'tickets') with ordinality as e(t, place)) as tickets
       from live.lottery_purchase where player_id = $1`,
    ),
    tickets: await list<TicketTruth>(
      `select ticket_id, lottery_id, draw_id, at as bought_at, base_amount as stake, base_payout as payout,
              state = 'settled' as settled, line_count as lines, winning_line_count as winning_lines
       from live.lottery_ticket where player_id = $1 and state <> 'orphan'`,
    ),
    lottery: await totals<LotteryTotals>(
      `select ${product}, ${counted('ticket_count', 'line_count', 'winning_line_count')}, ${summed('discount_sum')}
       from live.lottery_total where player_id = $1`,
    ),
    bonuses: await list<BonusTruth>(
      `select user_bonus_id, product, status, granted, at as granted_at, base_amount as amount,
              base_turned_real as turned_real
       from live.bonus where player_id = $1`,
    ),
    bonus: await totals<BonusTotals>(
      `select ${counted('granted_count', 'turned_real_count', 'forfeited_count', 'expired_count')},
              ${summed('granted_sum', 'turned_real_sum', 'forfeited_sum')},
              min(granted_first_at) as granted_first_at, max(granted_last_at) as granted_last_at
       from live.bonus_total where player_id = $1`,
    ),
    // A status unknown to the interface (Pending) is shown as it was sent, in any letter case.
    carts: await list<CartTruth>(
      `select cart_id, initcap(status) as status, at, base_amount as amount, item_count as items from live.cart where player_id = $1`,
    ),
    cart: await totals<CartTotals>(
      `select ${counted('cart_count', 'item_count')}, ${summed('cart_sum', 'discount_sum')},
              min(cart_first_at) as cart_first_at, max(cart_last_at) as cart_last_at
       from live.cart_total where player_id = $1`,
    ),
    balances: await list<BalanceTruth>(
      'select key, at, amount, currency, base_amount from live.balance where player_id = $1',
    ),
    customs: Object.fromEntries(customs.map(({ name, event_count }) => [name, event_count])),
  };
}

/** The player_id for the user_id of the brand's operator; undefined if the database does not know the player. */
export async function playerIdOf(pool: Pool, brandId: number, userId: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ player_id: number }>(
    'select player_id from player where brand_id = $1 and user_id = $2',
    [brandId, userId],
  );
  return rows[0]?.player_id;
}
