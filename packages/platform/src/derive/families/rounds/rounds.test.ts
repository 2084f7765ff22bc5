import { describe, expect, test } from 'vitest';
import { derivedEvent, testSettings } from '../../../../testing/derive/event.ts';
import { MemoryTables } from '../../../../testing/derive/families/rounds/memory-tables.ts';
import type { BrandSettings } from '../../../brands/index.ts';
import { baseAmounts, multiplierOf, userAmounts } from './amounts.ts';
import { playerBatches } from './arrival.ts';
import { baseAmountsOf } from './base-amounts.ts';
import type { RoundFact } from './round.ts';

const start = Date.UTC(2026, 3, 20, 12);

/**
 * One event as text, with its time in hours: `Bet a1 10 @0`, `Rollback Bet a1 10 @1`, `Win a2 5 @0.5 end`. An object in
 * braces is added to the body: `Bet a1 10 @0 {"round_id":"r2"}`; `Message @1 {"real_bet_user":5}`.
 */
function eventOf(text: string, settings: BrandSettings) {
  const match = /^(Rollback )?(Bet|Win|Loss|Message)(?: (\w+) (\S+))? @(\S+?)( end)?(?: (\{.*\}))?$/.exec(text);
  if (match === null) throw new Error(text);
  const [, rollback, type, activity_id, amount, hours, end, fields = '{}'] = match;
  const place = { user_id: 'u', vendor_id: 'v', game_id: 'g', round_id: 'r1', origin: 'o' };
  const timestamp = new Date(start + Number(hours) * 3_600_000).toISOString();
  const more = JSON.parse(fields) as object;
  if (type === 'Message') {
    const names = { game_name: 'Nordlys', game_type: 'slots', user_currency: 'EUR', device_type: 'mobile' };
    return derivedEvent('gameround', { ...place, ...names, timestamp, ...more }, { player_id: 7, settings });
  }
  const status = rollback === undefined ? 'Approved' : 'Rollback';
  const activity = { activity_id, type, status, amount: Number(amount), is_round_end: end !== undefined };
  const money = { currency: 'EUR', exchange_rate: 1 };
  return derivedEvent('casino', { ...place, ...activity, ...money, timestamp, ...more }, { player_id: 7, settings });
}

function played(texts: readonly string[], overrides: Partial<BrandSettings> = {}) {
  const settings = testSettings(overrides);
  const tables = new MemoryTables();
  // One batch per event. rounds.prop.test.ts shows that larger batches give the same result.
  const verdicts = texts.map((text) => {
    const event = eventOf(text, settings);
    const { verdicts, resolved } = tables.apply(playerBatches([event]));
    return `${verdicts.get(event) ?? 'applied'}${resolved.length > 0 ? ' resolves' : ''}`;
  });
  const rounds = tables.rounds().sort((a, b) => a.state.first_at - b.state.first_at);
  return { rounds, verdicts };
}

/** Describes a round: `r1 closed: 2 bets 10, 1 wins 5`, then its conflicts and orphans, and `unpriced`. */
function inWords({ round, state }: RoundFact): string {
  const status = !state.played ? 'unplayed' : !state.counted ? 'void' : state.closed ? 'closed' : 'open';
  const wrong = [
    ...(state.conflicts > 0 ? [`${state.conflicts} conflicts`] : []),
    ...(state.orphans > 0 ? [`${state.orphans} orphans`] : []),
    ...(state.unpriced ? ['unpriced'] : []),
  ];
  const money = `${state.bet_count} bets ${state.bet_sum}, ${state.win_count} wins ${state.win_sum}`;
  return [`${round.round_id} ${status}: ${money}`, ...wrong].join(', ');
}

type Case = [events: string[], rounds: string[], settings?: Partial<BrandSettings>];

const sek = '{"currency":"SEK","exchange_rate":0.1}';

describe('the state of a round', () => {
  test.each<Case>([
    [['Bet a1 10 @0'], ['r1 open: 1 bets 10, 0 wins 0']],
    [['Bet a1 10 @0', 'Win a2 5 @0 end'], ['r1 closed: 1 bets 10, 1 wins 5']],
    [['Win a2 5 @0 end'], ['r1 closed: 0 bets 0, 1 wins 5']],
    [['Bet a1 10 @0', 'Win a1 5 @0'], ['r1 open: 1 bets 10, 1 wins 5']],
    [['Bet a1 10 @0', 'Loss a2 10 @0'], ['r1 closed: 1 bets 10, 0 wins 0']],
    // A Win of 0 that closes a lost round is not a win.
    [['Bet a1 10 @0', 'Win a2 0 @0 end'], ['r1 closed: 1 bets 10, 0 wins 0']],
    [['Bet a1 10 @0', 'Win a2 0 @0'], ['r1 open: 1 bets 10, 0 wins 0']],
    [['Bet a1 10 @0', 'Win a2 0 @0', 'Win a3 5 @0'], ['r1 open: 1 bets 10, 1 wins 5']],
    [['Win a2 0 @0 end', 'Bet a1 0 @0'], ['r1 closed: 1 bets 0, 0 wins 0']],
    [['Bet a1 10 @0 end', 'Bet a2 10 @1'], ['r1 closed: 2 bets 20, 0 wins 0']],
    [['Bet a1 10 @0', `Bet a2 10 @0 ${sek}`], ['r1 open: 2 bets 11, 0 wins 0']],
    // Neighbors that are up to 72 hours apart are in one round. If they are further apart, there are two rounds.
    [['Bet a1 10 @0', 'Win a2 5 @72'], ['r1 open: 1 bets 10, 1 wins 5']],
    [
      ['Bet a1 10 @0', 'Win a2 5 @72.001'],
      ['r1 open: 1 bets 10, 0 wins 0', 'r1 open: 0 bets 0, 1 wins 5'],
    ],
    [['Bet a1 10 @0', 'Win a2 5 @100', 'Bet a3 1 @50'], ['r1 open: 2 bets 11, 1 wins 5']],
    // The activity that connected two rounds turns out to belong to another round.
    [
      ['Bet a1 10 @0', 'Win a2 5 @100', 'Bet a3 1 @50', 'Bet a3 1 @40 {"round_id":"r2"}'],
      ['r1 open: 1 bets 10, 0 wins 0', 'r2 open: 1 bets 1, 0 wins 0', 'r1 open: 0 bets 0, 1 wins 5'],
    ],
  ])('%j: %j', (events, rounds, settings) => {
    expect(played(events, settings).rounds.map(inWords)).toEqual(rounds);
    expect(played(events.toReversed(), settings).rounds.map(inWords)).toEqual(rounds);
  });
});

describe('rollbacks and contradictions', () => {
  test.each<Case>([
    [['Bet a1 10 @0', 'Rollback Bet a1 10 @1'], ['r1 void: 0 bets 0, 0 wins 0']],
    [['Bet a1 10 @0', 'Rollback Bet a1 99 @-1'], ['r1 void: 0 bets 0, 0 wins 0']],
    [['Bet a1 10 @0', 'Win a1 5 @0 end', 'Rollback Win a1 5 @1'], ['r1 open: 1 bets 10, 0 wins 0']],
    [['Bet a1 10 @0', 'Loss a2 0 @0', 'Rollback Loss a2 0 @1'], ['r1 open: 1 bets 10, 0 wins 0']],
    [['Rollback Bet a1 10 @0'], ['r1 unplayed: 0 bets 0, 0 wins 0, 1 orphans']],
    [['Bet a1 10 @0', 'Rollback Bet a2 10 @0'], ['r1 open: 1 bets 10, 0 wins 0, 1 orphans']],
    // A Rollback finds its activity in any round.
    [
      ['Bet a1 10 @0', 'Rollback Bet a1 10 @1 {"round_id":"r2"}'],
      ['r1 void: 0 bets 0, 0 wins 0', 'r2 unplayed: 0 bets 0, 0 wins 0'],
    ],
    // The earliest version is in force. A later version with the same money is a retry; with other money it is a conflict.
    [['Bet a1 10 @0', 'Bet a1 10 @1'], ['r1 open: 1 bets 10, 0 wins 0']],
    [['Bet a1 10 @0', 'Bet a1 12 @1'], ['r1 open: 1 bets 10, 0 wins 0, 1 conflicts']],
    [
      ['Bet a1 10 @0', 'Bet a1 12 @1 {"round_id":"r2"}'],
      ['r1 open: 1 bets 10, 0 wins 0', 'r2 unplayed: 0 bets 0, 0 wins 0, 1 conflicts'],
    ],
    [
      ['Bet a1 10 @0', 'Bet a1 10 @1 {"round_id":"r2"}'],
      ['r1 open: 1 bets 10, 0 wins 0', 'r2 open: 1 bets 10, 0 wins 0'],
      { casino_activity_key: ['vendor_id', 'activity_id', 'type', 'status', 'round_id'] },
    ],
    // With round_id in the key, a Rollback cancels only the activity of its round.
    [
      ['Bet a1 10 @0', 'Bet a1 10 @1 {"round_id":"r2"}', 'Rollback Bet a1 10 @2 {"round_id":"r2"}'],
      ['r1 open: 1 bets 10, 0 wins 0', 'r2 void: 0 bets 0, 0 wins 0'],
      { casino_activity_key: ['vendor_id', 'activity_id', 'type', 'status', 'round_id'] },
    ],
    [
      ['Bet a1 10 @0', 'Bet a1 10 @1'],
      ['r1 open: 2 bets 20, 0 wins 0'],
      { casino_activity_key: ['vendor_id', 'activity_id', 'type', 'status', 'timestamp'] },
    ],
    [
      ['Bet a1 10 @0', 'Bet a2 10 @0', 'Win a3 5 @0', 'Rollback Bet x 20 @1'],
      ['r1 open: 0 bets 0, 1 wins 5'],
      { rollback_by_round: true },
    ],
    // If the key lacks the vendor, the activity of one vendor can supersede the activity of another vendor. A Rollback of the superseded
    // activity is ignored.
    [
      [
        'Bet a1 10 @1',
        'Rollback Bet a1 5 @2 {"round_id":"r2"}',
        'Bet a1 10 @0 {"vendor_id":"w","round_id":"r3","currency":"SEK","exchange_rate":0.1}',
      ],
      [
        'r3 open: 1 bets 1, 0 wins 0',
        'r1 unplayed: 0 bets 0, 0 wins 0, 1 conflicts',
        'r2 unplayed: 0 bets 0, 0 wins 0, 1 orphans',
      ],
      { casino_activity_key: ['activity_id', 'type', 'status', 'amount'] },
    ],
  ])('%j: %j', (events, rounds, settings) => {
    expect(played(events, settings).rounds.map(inWords)).toEqual(rounds);
    expect(played(events.toReversed(), settings).rounds.map(inWords)).toEqual(rounds);
  });
});

describe('game round messages', () => {
  const bet = 'Bet a1 10 @0 {"wager_amount":6,"bonus_wager_amount":4}';
  test.each<Case>([
    [['Message @0'], ['r1 closed: 0 bets 0, 0 wins 0']],
    [['Message @0 {"real_bet_user":5,"bonus_bet_user":1}'], ['r1 closed: 1 bets 6, 0 wins 0']],
    [['Message @0 {"real_bet_user":5,"real_bet_base":7}'], ['r1 closed: 1 bets 7, 0 wins 0']],
    // Each part comes from the message if it contains the field, otherwise from the activities.
    [[bet, 'Message @1 {"real_bet_user":5}'], ['r1 closed: 1 bets 9, 0 wins 0']],
    [[bet, 'Message @1 {"real_bet_user":5,"bonus_bet_user":0}'], ['r1 closed: 1 bets 5, 0 wins 0']],
    [[bet, 'Message @1 {"real_win_user":3}'], ['r1 closed: 1 bets 10, 1 wins 3']],
    [[bet, 'Message @1 {"real_bet_user":5}', 'Message @1 {"real_bet_user":5}'], ['r1 closed: 1 bets 9, 0 wins 0']],
    [
      [bet, 'Message @1 {"real_bet_user":5}', 'Message @2 {"real_bet_user":4}'],
      ['r1 closed: 1 bets 9, 0 wins 0, 1 conflicts'],
    ],
    [
      ['Message @0 {"real_bet_user":5}', 'Message @73 {"real_bet_user":5}'],
      ['r1 closed: 1 bets 5, 0 wins 0', 'r1 closed: 1 bets 5, 0 wins 0'],
    ],
    // Locked money is the player's own: a message's real money includes it.
    [
      ['Bet a1 10 @0 {"wager_amount":6,"locked_wager_amount":4}', 'Message @1 {"real_bet_user":10}'],
      ['r1 closed: 1 bets 10, 0 wins 0'],
    ],
    // Base amounts come from the base fields, else from amounts in the base currency, else from the rate of the activities.
    // Otherwise there are none.
    [['Message @1 {"real_bet_user":5,"user_currency":"SEK"}'], ['r1 closed: 1 bets 0, 0 wins 0, unpriced']],
    [
      [`Bet a1 4 @0 ${sek}`, 'Message @1 {"real_bet_user":5,"user_currency":"SEK"}'],
      ['r1 closed: 1 bets 0.5, 0 wins 0'],
    ],
    [
      [`Bet a1 4 @0`, 'Message @1 {"real_win_user":5,"user_currency":"SEK"}'],
      ['r1 closed: 1 bets 0, 1 wins 0, unpriced'],
    ],
    [['Message @1 {"real_bet_user":5,"real_bet_base":2,"user_currency":"SEK"}'], ['r1 closed: 1 bets 2, 0 wins 0']],
    [[bet, 'Message @1 {"real_bet_user":5}'], ['r1 open: 1 bets 10, 0 wins 0'], { rounds_from: 'casino' }],
    [[bet, 'Message @1 {"real_bet_user":5}'], ['r1 closed: 1 bets 5, 0 wins 0'], { rounds_from: 'gameround' }],
  ])('%j: %j', (events, rounds, settings) => {
    expect(played(events, settings).rounds.map(inWords)).toEqual(rounds);
    expect(played(events.toReversed(), settings).rounds.map(inWords)).toEqual(rounds);
  });
});

/** `@0 real_bet_sum 10 bet_count 1`: what counts at which time, in hours. */
function momentsOf({ round }: RoundFact): string[] {
  const { parts } = baseAmountsOf(round, 'EUR');
  return [...Map.groupBy(parts, ({ at }) => (at - start * 1000) / 3_600_000_000)].flatMap(([hours, own]) => {
    const told = own.flatMap(({ sums, counts }) => [...Object.entries({ ...sums }), ...Object.entries(counts)]);
    return told.length === 0 ? [] : [[`@${hours}`, ...told.map(([name, value]) => `${name} ${value}`)].join(' ')];
  });
}

describe('the money of a message counts at the time of its bets and wins', () => {
  test.each<Case>([
    [['Bet a1 10 @11', 'Message @12 {"real_bet_user":10}'], ['@11 bet_count 1 real_bet_sum 10']],
    [['Message @12 {"real_bet_user":10}'], ['@12 real_bet_sum 10 bet_count 1']],
    // The message's amount counts at the last bet in force. The first bet keeps the parts that the message does not contain.
    [
      ['Bet a1 10 @10 {"bonus_wager_amount":4}', 'Bet a2 5 @11', 'Message @12 {"real_bet_user":9}'],
      ['@10 bonus_bet_sum 4 bet_count 1', '@11 bet_count 1 real_bet_sum 9'],
    ],
    [
      ['Bet a1 10 @10', 'Bet a2 5 @11', 'Rollback Bet a2 5 @11.5', 'Message @12 {"real_bet_user":9}'],
      ['@10 bet_count 1 real_bet_sum 9'],
    ],
    // Bets and wins are separate: a win that only the message contains counts at the message's time.
    [
      ['Bet a1 10 @11', 'Message @12 {"real_bet_user":10,"real_win_user":3}'],
      ['@11 bet_count 1 real_bet_sum 10', '@12 real_win_sum 3 win_count 1'],
    ],
    [
      ['Bet a1 10 @10', 'Win a2 0 @11 end', 'Message @12 {"real_bet_user":10,"real_win_user":3}'],
      ['@10 bet_count 1 real_bet_sum 10', '@12 real_win_sum 3 win_count 1'],
    ],
    [
      ['Bet a1 10 @10', 'Win a2 3 @11', 'Message @12 {"real_bet_user":10,"bonus_win_user":3,"real_win_user":0}'],
      ['@10 bet_count 1 real_bet_sum 10', '@11 win_count 1 bonus_win_sum 3'],
    ],
  ])('%j: %j', (events, moments) => {
    expect(played(events).rounds.flatMap(momentsOf)).toEqual(moments);
    expect(played(events.toReversed()).rounds.flatMap(momentsOf)).toEqual(moments);
  });
});

test('each event gets a verdict, and an orphan whose counterpart arrives is resolved', () => {
  const verdictsOf = (...events: string[]) => played(events).verdicts;
  expect(verdictsOf('Bet a1 10 @0', 'Bet a1 10 @1', 'Bet a1 12 @0')).toEqual(['applied', 'repeat', 'conflict']);
  expect(verdictsOf('Rollback Bet a1 10 @1', 'Bet a1 10 @0')).toEqual(['orphan', 'applied resolves']);
  expect(verdictsOf('Message @0', 'Message @0', 'Message @1 {"real_bet_user":1}')).toEqual([
    'applied',
    'repeat',
    'conflict',
  ]);
});

test("a round shows its money in the base currency, and in the player's currency if there is only one", () => {
  const moneyOf = (...events: string[]) => {
    const { round } = played(events).rounds[0] as RoundFact;
    const base = baseAmounts(round, 'EUR');
    const user = userAmounts(round, 'EUR');
    return [base?.result ?? null, user?.result ?? null, user?.currency ?? null, multiplierOf(base ?? user)];
  };
  expect(moneyOf(`Bet a1 30 @0 ${sek}`, `Win a2 100 @0 ${sek}`)).toEqual(['7', '70', 'SEK', '3.3333']);
  expect(moneyOf('Bet a1 3 @0', `Win a2 10 @0 ${sek}`)).toEqual(['-2', null, null, '0.3333']);
  expect(moneyOf('Win a2 10 @0')).toEqual(['10', '10', 'EUR', null]);
  expect(moneyOf('Message @0 {"real_bet_user":10,"real_win_user":5,"user_currency":"SEK"}')).toEqual([
    null,
    '-5',
    'SEK',
    '0.5',
  ]);
  expect(moneyOf('Message @0 {"real_bet_base":10,"user_currency":"SEK"}')).toEqual(['-10', null, null, '0']);
});
