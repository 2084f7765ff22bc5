import { createSimulation } from '@croupier/sandbox';
import { describe, expect, test } from 'vitest';
import { compareFacts, type Facts } from './facts.ts';

/*
 * A comparison that cannot find a difference proves nothing. These tests change each kind of fact of a real player, and require
 * that the comparison finds the change.
 */
const simulation = createSimulation({ seed: 8, players: 4, quirks: { long_round: 0.1 } });
simulation.take(4000);
simulation.finish();
simulation.close();
const [userId = ''] = simulation.truth.userIds();

function facts(): Facts {
  const told = simulation.truth.player(userId);
  if (told === undefined) throw new Error('unknown player');
  return structuredClone(told);
}

test('a player equals itself, whatever the notation of amounts', () => {
  const seen = facts();
  seen.casino.real_bet_sum += seen.casino.real_bet_sum.includes('.') ? '0' : '.0';
  const { differences, compared } = compareFacts(facts(), seen);
  expect(differences).toEqual([]);
  for (const count of Object.values(compared)) expect(count).toBeGreaterThan(0);
});

const lists = ['rounds', 'sessions', 'bets', 'purchases', 'tickets', 'bonuses', 'carts', 'balances'] as const;

describe.each(lists)('%s', (list) => {
  test('a missing fact, an additional fact and a changed fact are found', () => {
    const missing = facts();
    missing[list].pop();
    expect(compareFacts(facts(), missing).differences).toHaveLength(1);
    expect(compareFacts(missing, facts()).differences).toHaveLength(1);

    const changed = facts();
    for (const one of changed[list].slice(0, 1)) Object.assign(one, amountOf(one));
    expect(compareFacts(facts(), changed).differences).toHaveLength(1);
  });
});

/** Changes the amount, in the field that the fact has. */
function amountOf(fact: object): object {
  const name = ['bet_sum', 'stake', 'amount'].find((field) => field in fact);
  if (name === undefined) throw new Error(`nothing to change in ${JSON.stringify(fact)}`);
  return { [name]: '0.01' };
}

test.each(['casino', 'sports', 'lottery', 'bonus', 'cart', 'customs'] as const)(
  'a changed total of %s is found',
  (name) => {
    const seen = facts();
    Object.assign(seen[name], { [Object.keys(seen[name])[0] ?? '']: 987_654 });
    expect(compareFacts(facts(), seen).differences).toMatchObject([{ platform: 987_654 }]);
  },
);

test('a fact that may be gone is not required, but must be right if it is present', () => {
  const isRound = (list: string) => list === 'rounds';
  const gone = facts();
  const round = gone.rounds.pop();
  expect(compareFacts(facts(), gone, isRound).differences).toEqual([]);
  if (round !== undefined) gone.rounds.push({ ...round, bet_sum: '0.01' });
  expect(compareFacts(facts(), gone, isRound).differences).toHaveLength(1);
});
