import type { Micros } from '@croupier/contracts';
import { momentText } from '@croupier/rules';
import type { ClientBase } from 'pg';

/*
 * Creates players of a brand with totals of two years, in SQL: any number of them, in minutes for a million. Few play much and
 * many play little: a player has 1 to 80 days with activity, 17 on average, and recent days are more likely. The player and
 * the day determine all numbers, so two runs create the same totals.
 */
export interface Seed {
  readonly brandId: number;
  readonly players: number;
  /** Days before this time; in UTC. */
  readonly now: Micros;
}

/** A number from 0 to 1 that is determined by some expressions. */
const random = (...of: string[]) =>
  `((hashtextextended(concat_ws(':', ${of.join(', ')}), 0) & 1048575)::float8 / 1048575)`;

export async function seedTotals(db: ClientBase, { brandId, players, now }: Seed): Promise<void> {
  const today = `'${momentText(now).slice(0, 10)}'::date`;
  await db.query('set local synchronous_commit = off');
  await db.query(
    `insert into player (brand_id, user_id, bucket, created_at)
     select $1::int, 'seed-' || n, hashtextextended('seed-' || n, 0) & 63, ${today} - (${random('n', "'joined'")} * 730)::int
     from generate_series(1, $2::int) n`,
    [brandId, players],
  );
  await db.query(
    `insert into player_profile (player_id, country, language, birth_date, changed_at)
     select player_id, (array['MT', 'SE', 'DE', 'FI', 'NO', 'GB', 'CA', 'NZ'])[1 + (${random('player_id', "'country'")} ^ 2 * 7)::int],
            (array['en', 'de', 'sv'])[1 + (${random('player_id', "'language'")} * 2)::int],
            (date '1950-01-01' + (${random('player_id', "'birth'")} * 20000)::int)::text, ${today}
     from player where brand_id = $1`,
    [brandId],
  );
  await db.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select player_id, 'email', 'Email', 'Email', ${random('player_id', "'consent'")} < 0.6, 'look_up', ${today} from player where brand_id = $1`,
    [brandId],
  );
  await db.query(
    `insert into player_protection (player_id, brand_id, excluded, blocked, noted_at)
     select player_id, brand_id, ${random('player_id', "'excluded'")} < 0.03, ${random('player_id', "'blocked'")} < 0.02, ${today}
     from player where brand_id = $1`,
    [brandId],
  );
  await db.query(
    `create temporary table active on commit drop as
     select distinct player_id, ${today} - (${random('player_id', 'n')} ^ 2 * 729)::int as day
     from player cross join lateral generate_series(1, 1 + (79 * ${random('player_id', "'days'")} ^ 4)::int) n
     where brand_id = $1`,
    [brandId],
  );
  const bets = `1 + (${random('player_id', 'day', "'bets'")} * 200)::int`;
  await db.query(
    `insert into casino_day (player_id, day, vendor_id, game_id, bet_count, win_count, round_count, real_bet_sum, bonus_bet_sum,
                             locked_bet_sum, real_win_sum, bonus_win_sum, locked_win_sum, bet_biggest, win_biggest)
     select player_id, day, 'vendor-' || (player_id % 7), 'game-' || (player_id % 50), bets, bets / 3, bets, bets * 2, 0, 0,
            trunc((bets * 2 * 1.9 * ${random('player_id', 'day', "'win'")})::numeric, 2), 0, 0, 10, 50
     from (select player_id, day, ${bets} as bets from active) a order by player_id, day`,
  );
  const amount = `(1 + (${random('player_id', 'day', "'amount'")} * 20)::int) * 10`;
  await db.query(
    `insert into payment_day (player_id, day, vendor_id, deposit_count, deposit_sum, deposit_fee_sum, withdrawal_count, withdrawal_sum,
                              withdrawal_fee_sum, deposit_biggest)
     select player_id, day, 'visa', 1, ${amount}, 0, 0, 0, 0, ${amount} from active
     where ${random('player_id', 'day', "'deposit'")} < 0.4 order by player_id, day`,
  );
  await db.query(
    `insert into login_day select player_id, day, 1 + player_id % 3, 0 from active order by player_id, day`,
  );
  await db.query(
    `insert into login_total select player_id, sum(login_count), 0, min(day), max(day), null, null from login_day join active using (player_id, day)
     group by player_id`,
  );
  await db.query(
    `insert into payment_total (player_id, vendor_id, deposit_count, deposit_sum, deposit_fee_sum, withdrawal_count, withdrawal_sum,
                                withdrawal_fee_sum, deposit_biggest, deposit_first_at, deposit_last_at)
     select player_id, vendor_id, sum(deposit_count), sum(deposit_sum), 0, 0, 0, 0, max(deposit_biggest), min(day), max(day)
     from payment_day group by player_id, vendor_id`,
  );
  await db.query(
    `insert into casino_total (player_id, vendor_id, game_id, bet_count, win_count, round_count, real_bet_sum, bonus_bet_sum, locked_bet_sum,
                               real_win_sum, bonus_win_sum, locked_win_sum, bet_biggest, win_biggest, bet_first_at, bet_last_at, win_first_at, win_last_at)
     select player_id, vendor_id, game_id, sum(bet_count), sum(win_count), sum(round_count), sum(real_bet_sum), 0, 0, sum(real_win_sum), 0, 0,
            max(bet_biggest), max(win_biggest), min(day), max(day), min(day), max(day)
     from casino_day group by player_id, vendor_id, game_id`,
  );
  await db.query(
    `insert into player_activity (player_id, first_event_at, last_event_at) select player_id, min(day), max(day) from active group by 1`,
  );
}

export const seededTables = [
  'player',
  'player_profile',
  'player_consent',
  'player_protection',
  'casino_day',
  'casino_total',
  'payment_day',
  'payment_total',
  'login_day',
  'login_total',
  'player_activity',
] as const;

/** Rules with typical shapes of segments, by their meaning. */
export const seededRules = {
  'deposited today': [{ field: 'trait.deposit_count_today', operator: '>=', value: 1 }],
  'twice in the last 7 days': [{ field: 'trait.deposit_count_7d', operator: '>=', value: 2 }],
  'slipping away': [
    { field: 'trait.days_since_login', operator: '>=', value: 14 },
    { field: 'trait.deposit_count', operator: '>=', value: 3 },
  ],
  'big losers of the last 30 days': [{ field: 'trait.casino_ggr_30d', operator: '>=', value: '500' }],
  'less than before': [
    { field: 'trait.casino_bet_count_prev_7d', operator: '>=', value: 50 },
    { field: 'trait.casino_bet_count_7d', operator: '<', value: 20 },
  ],
  'new without a deposit': [
    { field: 'trait.deposit_count', operator: '=', value: 0 },
    { field: 'trait.login_count', operator: '>=', value: 1 },
  ],
  'from Malta or Sweden': [{ field: 'profile.country', operator: 'in', value: ['MT', 'SE'] }],
  'reachable by e-mail': [{ field: 'consent.Email', operator: '=', value: true }],
  'birthday this week': [{ field: 'profile.birth_date', operator: 'anniversaryWithin', value: 'P7D' }],
  'high rollers': [
    { field: 'trait.deposit_sum', operator: '>=', value: '2000' },
    { field: 'trait.casino_bet_sum_90d', operator: '>=', value: '5000' },
  ],
} as const;
