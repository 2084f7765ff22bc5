import { describe, expect, test } from 'vitest';
import { betParts, inBase, sumOf, winParts } from './money.ts';

describe('the parts of a bet', () => {
  test.each([
    ['without parts, all of it is real', { amount: '10' }, ['10', '0', '0']],
    [
      'as sent',
      { amount: '10', wager_amount: '6', bonus_wager_amount: '3', locked_wager_amount: '1' },
      ['6', '3', '1'],
    ],
    ['the rest is real', { amount: '10', wager_amount: '2', bonus_wager_amount: '3' }, ['7', '3', '0']],
    [
      'the parts never exceed the amount',
      { amount: '2', bonus_wager_amount: '3', locked_wager_amount: '1' },
      ['0', '2', '0'],
    ],
    [
      'the bonus comes before locked money',
      { amount: '4', bonus_wager_amount: '3', locked_wager_amount: '3' },
      ['0', '3', '1'],
    ],
  ])('%s', (_, bet, [real, bonus, locked]) => {
    expect(betParts(bet)).toEqual({ real, bonus, locked });
  });
});

describe('the parts of a win', () => {
  test.each([
    ['as sent', { amount: '10', wager_amount: '6', bonus_wager_amount: '4' }, ['6', '4', '0']],
    [
      'if the parts do not add up, all of it is real',
      { amount: '10', wager_amount: '6', bonus_wager_amount: '5' },
      ['10', '0', '0'],
    ],
    ['without parts, all of it is real', { amount: '10' }, ['10', '0', '0']],
  ])('%s', (_, win, [real, bonus, locked]) => {
    expect(winParts(win)).toEqual({ real, bonus, locked });
  });
});

test('base amounts and sums are exact', () => {
  expect(inBase('0.1', '0.0894')).toBe('0.00894');
  expect(inBase('12.34', '1')).toBe('12.34');
  expect(sumOf(['0.1', '0.2', '0'])).toBe('0.3');
  expect(sumOf(['0', '5'])).toBe('5');
  expect(sumOf([])).toBe('0');
});
