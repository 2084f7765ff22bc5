import { expect, test } from 'vitest';
import { paymentBody, setupStage } from '../../testing/derive/stage.ts';
import { verdictCodes } from './journal/codes.ts';
import { parkedCounts } from './parking/index.ts';
import { readTraits } from './traits/index.ts';

/*
 * A batch works in one cell (docs/decisions/1240): it writes no row of a table that all cells share. In this test those
 * tables reject writes, and events of every family are still derived.
 */
const control = [
  'brand',
  'api_key',
  'quarantine',
  'bonus_budget',
  'push_key',
  'console_account',
  'console_grant',
  'console_identity',
  'console_session',
  'console_totp',
  'console_recovery_code',
  'console_passkey',
  'console_code_failure',
  'console_used_ticket',
  'console_second_factor_rule',
  'console_login_failure',
  'console_audit',
  'console_audit_mark',
  'console_audit_seal',
];
const stage = await setupStage();
const { pool, clock, publish, derive, playerId } = stage;

const said = { user_id: 'a', timestamp: '2026-05-01T10:00:00Z', origin: 'o' };
const money = { amount: 10, currency: 'EUR', exchange_rate: 1 };
const line = { line_id: 1, is_free_bet: false, numbers: [1], special_numbers: [], is_quick_pick: false };
const bodies = {
  registration: said,
  login: said,
  payment: paymentBody({ user_id: 'a', payment_id: 'p', timestamp: said.timestamp, amount: 10 }),
  casino: {
    ...said,
    ...money,
    activity_id: '1',
    game_id: 'g',
    round_id: 'r',
    vendor_id: 'v',
    type: 'Bet',
    is_round_end: false,
  },
  gameround: {
    ...said,
    round_id: 's',
    game_id: 'g',
    game_name: 'Game',
    game_type: 'Slots',
    vendor_id: 'v',
    vendor_name: 'V',
    real_bet_user: 1,
    real_win_user: 0,
    bonus_bet_user: 0,
    bonus_win_user: 0,
    real_bet_base: 1,
    real_win_base: 0,
    bonus_bet_base: 0,
    bonus_win_base: 0,
    user_currency: 'EUR',
    device_type: 'Mobile',
  },
  sports: { ...said, ...money, activity_id: 'b', bet_type: 'Single', bets: [], type: 'Bet' },
  lottery: {
    ...said,
    ...money,
    ticket_id: 't',
    lottery_id: 'l',
    draw_id: 'd',
    draw_date: '2026-05-02T10:00:00Z',
    type: 'Bet',
    lines: [line],
  },
  lottery_purchase: { ...said, ...money, status: 'Approved', transaction_id: 'x', tickets: [{ ticket_id: 'y' }] },
  bonus: {
    ...said,
    ...money,
    bonus_id: '1',
    user_bonus_id: 'u',
    product: 'Casino',
    status: 'Created',
    type: 'WelcomeBonus',
  },
  cart: { ...said, ...money, cart_id: 'c', items: [], payments: [], status: 'Successful', type: 'Checkout' },
  balances: { ...said, balances: [{ ...money, key: 'real_money' }] },
  custom: { ...said, notification_type: 'n', data: {} },
} as const;

test('a batch writes no row of the control tables', async () => {
  await pool.query(`create function refuse_writes() returns trigger language plpgsql as
    $$ begin raise exception 'a batch wrote to %', tg_table_name; end $$`);
  for (const table of control) {
    await pool.query(`create trigger refused before insert or update or delete or truncate on ${table}
      for each statement execute function refuse_writes()`);
  }
  await expect(pool.query('update brand set code = code')).rejects.toThrow('a batch wrote to brand');
  const kinds = Object.keys(bodies) as (keyof typeof bodies)[];
  await publish(...kinds.map((kind) => ({ kind, body: bodies[kind] })));
  await derive();
  expect(await parkedCounts(pool)).toEqual({ players: 0, events: 0 });
  const { rows } = await pool.query<{ entries: number }>(
    'select count(*)::int as entries from journal where verdict = $1',
    [verdictCodes.applied],
  );
  expect(rows).toEqual([{ entries: kinds.length }]);
  const { rows: learned } = await pool.query(
    'select (select count(*) from game) as games, (select count(*) from draw) as draws',
  );
  expect(learned).toEqual([{ games: 1, draws: 1 }]);
  const traits = await readTraits(pool, { player_id: await playerId('a'), time_zone: 'UTC' }, clock.now());
  expect(traits.deposit_count?.value).toBe(1);
});
