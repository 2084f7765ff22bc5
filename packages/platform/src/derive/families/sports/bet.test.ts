import { describe, expect, test } from 'vitest';
import { derivedEvent } from '../../../../testing/derive/event.ts';
import type { Activity } from './activity.ts';
import type { Bet } from './bet.ts';
import { arrivalOf, decide, keyOf } from './decide.ts';
import { oddsOf } from './odds.ts';

/*
 * Computes the bets of a few events, which are written as text. `Bet b1 10` is an Approved Bet b1 of 10. `Settlement s1>b1 20` is a
 * settlement of b1 with 20. `C` after the amount marks a cashout, and `-` before the text a Rollback. Each event is one second after the
 * previous one.
 */
function bodyOf(text: string, second: number): Record<string, unknown> {
  const match = /^(-?)(Bet|Settlement) (\w+)(?:>(\w*))? (\S+?)(C?)$/.exec(text);
  if (match === null) throw new Error(text);
  const [, minus, type, activity_id, activity_id_reference, amount, cashout] = match;
  return {
    user_id: 'a',
    activity_id,
    type,
    amount,
    status: minus === '-' ? 'Rollback' : 'Approved',
    ...(activity_id_reference !== undefined && { activity_id_reference }),
    is_cashout: cashout === 'C',
    bet_type: 'Single',
    bets: type === 'Bet' ? [{ odds: 2 }] : [],
    currency: 'EUR',
    exchange_rate: 1,
    origin: 'o',
    timestamp: new Date(Date.UTC(2026, 4, 1, 10, 0, second)).toISOString(),
  };
}

function betsOf(texts: readonly string[]): Map<string, Bet> {
  return decided(texts.map(bodyOf)).bets;
}

function decided(bodies: readonly Record<string, unknown>[]) {
  const held = new Map<string, Activity>();
  const bets = new Map<string, Bet>();
  const verdicts: string[] = [];
  for (const body of bodies) {
    const event = derivedEvent('sports', body, { player_id: 1 });
    const decision = decide(held, [arrivalOf(event)]);
    for (const { activity } of decision.activities) held.set(keyOf(activity), activity);
    for (const { bet_key } of decision.gone) {
      for (const [bet_id, bet] of bets) if (bet.bet_key === bet_key) bets.delete(bet_id);
    }
    for (const bet of decision.bets) bets.set(bet.bet_id, bet);
    verdicts.push(decision.verdicts.get(event) ?? 'applied');
  }
  return { bets, verdicts };
}

describe('state, payout and orphans of a bet (docs/reference/decisions.md 2.9)', () => {
  test.each<[events: string[], shown: string]>([
    [['Bet b 10'], 'open 0'],
    [['Bet b 10', 'Settlement s>b 20'], 'settled 20'],
    [['Settlement s>b 20', 'Bet b 10'], 'settled 20'],
    [['Bet b 10', 'Settlement s>b 0'], 'settled 0'],
    [['Bet b 10', 'Settlement b> 20'], 'settled 20'],
    [['Bet b 10', 'Settlement b 20'], 'settled 20'],
    [['Bet b>elsewhere 10'], 'open 0'],
    // Cashouts add up, and the last settlement closes the rest.
    [['Bet b 10', 'Settlement c>b 6C'], 'cashed_out 6'],
    [['Bet b 10', 'Settlement c>b 3C', 'Settlement d>b 4C'], 'cashed_out 7'],
    [['Bet b 10', 'Settlement c>b 3C', 'Settlement s>b 12'], 'settled 15'],
    // A correction: the old settlement is rolled back, and a new one comes.
    [['Bet b 10', 'Settlement s>b 20', '-Settlement s>b 20'], 'open 0'],
    [['Bet b 10', 'Settlement s>b 20', '-Settlement s>b 20', 'Settlement t>b 15'], 'settled 15'],
    [['Bet b 10', '-Settlement s>b 20', 'Settlement t>b 15', 'Settlement s>b 20'], 'settled 15'],
    [['Bet b 10', 'Settlement s>b 20', '-Settlement s>wrong 99'], 'open 0'],
    // The bet is rolled back: none of it counts, and it can only be placed again under another activity_id.
    [['Bet b 10', '-Bet b 10'], 'rolled_back 0'],
    [['-Bet b 10', 'Bet b 10'], 'rolled_back 0'],
    [['Bet b 10', 'Settlement s>b 20', '-Bet b 10'], 'rolled_back 0'],
    [['Bet b 10', '-Bet b 10', 'Settlement s>b 20', 'Bet b 10'], 'rolled_back 0'],
    // The bet of these settlements and rollbacks is missing.
    [['Settlement s>b 20'], 'orphan 0, 1 orphan'],
    [['-Bet b 10'], 'orphan 0, 1 orphan'],
    [['-Bet b 10', 'Settlement s>b 20'], 'orphan 0, 2 orphan'],
    [['Settlement s>b 20', '-Settlement s>b 20'], 'orphan 0, 1 orphan'],
    [['Bet b 10', '-Settlement s>b 20'], 'open 0, 1 orphan'],
    // A settlement that refers to its own id belongs to the bet with that id. One that refers to a settlement belongs
    // to no bet.
    [['Settlement b>b 20'], 'orphan 0, 1 orphan'],
    [['Settlement b>b 20', 'Bet b 10'], 'settled 20'],
    [['Bet a 10', 'Settlement b>a 20', 'Settlement s>b 5'], 'orphan 0, 1 orphan'],
  ])('%j: %s', (events, shown) => {
    const bet = betsOf(events).get('b');
    const orphans = bet?.orphans ? `, ${bet.orphans} orphan` : '';
    expect(`${bet?.state} ${bet?.base_payout}${orphans}`).toBe(shown);
  });

  test('events with one activity_id and different references are versions: the earliest decides which bet the activity belongs to', () => {
    const [bet, other, first, second] = ['Bet b 10', 'Bet c 10', 'Settlement s>b 20', 'Settlement s>c 20'].map(bodyOf);
    const bets = (bodies: (Record<string, unknown> | undefined)[]) =>
      [...decided(bodies.flatMap((body) => (body === undefined ? [] : [body]))).bets.values()]
        .map(({ bet_id, state, base_payout }) => `${bet_id} ${state} ${base_payout}`)
        .sort();
    const expected = ['b settled 20', 'c open 0'];
    expect(bets([bet, other, first, second])).toEqual(expected);
    expect(bets([second, first, other, bet])).toEqual(expected);
    // The orphan is removed when its only activity moves to another bet.
    expect(bets([{ ...second, activity_id_reference: 'nowhere' }, first])).toEqual(['b orphan 0']);
  });

  test('each event gets its verdict', () => {
    const texts = [
      'Settlement s>b 20',
      'Settlement s>b 20',
      'Settlement s>b 21',
      '-Settlement s>b 20',
      '-Bet b 1',
      'Bet b 10',
    ];
    expect(decided(texts.map(bodyOf)).verdicts).toEqual([
      'orphan',
      'repeat',
      'conflict',
      'applied',
      'orphan',
      'applied',
    ]);
  });
});

describe('odds', () => {
  const selections = (...odds: (string | undefined)[]) =>
    odds.map((each) => (each === undefined ? {} : { odds: each }));

  test.each([
    ['Single', selections('1.95'), '1.95'],
    ['Single', selections('1.95', '2'), null],
    ['Combo', selections('1.5', '2', '3.1'), '9.3'],
    ['Combo', selections('1.5', undefined), null],
    ['Combo', selections(), null],
    ['System', selections('1.5', '2'), null],
    ['Combo', selections(...Array.from({ length: 51 }, () => '1.1')), null],
  ])('of a %s on %j: %s', (betType, of, odds) => {
    expect(oddsOf(betType, of)).toBe(odds);
  });
});
