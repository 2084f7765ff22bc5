import { describe, expect, test } from 'vitest';
import { noon } from '../../../../testing/clock.ts';
import { compareFact, type Verdict } from './compare.ts';
import { blockFact } from './facts.ts';

const before = noon - 1;

describe('the table of docs/reference/decisions.md 4', () => {
  test.each<['block' | 'consent' | 'active', boolean | null, boolean, Verdict]>([
    ['block', true, true, 'agrees'],
    ['block', false, true, 'tightened'],
    ['block', null, true, 'tightened'],
    ['block', true, false, 'look_up'],
    ['block', false, false, 'agrees'],
    ['block', null, false, 'agrees'],
    ['consent', true, true, 'agrees'],
    ['consent', false, true, 'look_up'],
    ['consent', null, true, 'look_up'],
    ['consent', true, false, 'tightened'],
    ['consent', false, false, 'agrees'],
    ['consent', null, false, 'agrees'],
    ['active', true, true, 'agrees'],
    ['active', false, true, 'reported'],
    ['active', null, true, 'agrees'],
    ['active', true, false, 'reported'],
    ['active', false, false, 'agrees'],
    ['active', null, false, 'agrees'],
  ])('%s: the platform has %s, listed %s: %s', (about, we_say, listed, verdict) => {
    expect(compareFact(about, { we_say, since: before }, listed, noon)).toBe(verdict);
    expect(compareFact(about, { we_say, since: noon }, listed, noon)).toBe(verdict);
    const newer = verdict === 'agrees' ? 'agrees' : 'newer';
    expect(compareFact(about, { we_say, since: noon + 1 }, listed, noon)).toBe(newer);
    expect(compareFact(about, { we_say, since: before, unconfirmed: true }, listed, noon)).toBe(newer);
  });
});

test('a block counts from any source, with the age of that source', () => {
  const nothing = {
    active: false,
    in_doubt: false,
    row_as_of: 1,
    unconfirmed: false,
    flag: false,
    flag_in_doubt: false,
  };
  const facts = { ...nothing, flag_older: null, blocks_looked_up: 5, details_looked_up: 7 };
  expect(blockFact(facts)).toMatchObject({ we_say: false, since: 5 });
  expect(blockFact({ ...facts, flag: true })).toMatchObject({ we_say: true, since: 7 });
  expect(blockFact({ ...facts, active: true })).toMatchObject({ we_say: true, since: 5 });
  expect(blockFact({ ...facts, in_doubt: true })).toMatchObject({ we_say: true, since: 1 });
  expect(blockFact({ ...facts, row_as_of: null, blocks_looked_up: null })).toMatchObject({ we_say: null, since: null });
});
