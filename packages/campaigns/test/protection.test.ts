import type { Catalog, PlayerView } from '@croupier/rules';
import { expect, test } from 'vitest';
import { advance, type Campaign, type Context, newRun } from '../src/index.ts';

const player: PlayerView = { value: () => null, changesAfter: () => undefined, facts: () => [] };
const catalog: Catalog = { field: () => undefined, fact: () => undefined };
const campaign: Campaign = {
  code: 'any',
  name: 'Any',
  entry: { api: true },
  goal: { event: 'bet' },
  steps: [
    { id: 'gift', credit: { bonus_code: 'GIFT' } },
    { id: 'mark', tag: 'x' },
  ],
};
const context: Context = {
  campaign,
  at: 0,
  zone: 'UTC',
  brandZone: 'UTC',
  player,
  catalog,
  seed: 'any anna',
  enteredAt: 0,
  causedAt: 0,
};

// The gate already reads the operator's answer. The news about the protection arrives a moment later.
test.each([
  ['excluded', 'exited'],
  ['blocked', 'exited'],
  ['no_consent', 'done'],
  ['frequency_cap', 'done'],
])('a run whose effect is withheld because of %s is %s', (reason, state) => {
  const { run } = advance(newRun(), { kind: 'begin' }, context);
  const move = advance(run, { kind: 'verdict', step: 'gift', verdict: { outcome: 'withheld', reason } }, context);
  const isOver = state === 'exited';
  expect(move.run).toMatchObject({ state, reason: isOver ? reason : null, step: null });
  expect(move.records[0]).toMatchObject({ step: 'gift', state: 'withheld', reason });
  expect(move.effects).toHaveLength(isOver ? 0 : 1);
  if (isOver) expect(move.run.goalUntil).toBeNull();
});
