import { Big } from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountText, asNumber, baseText, rateAsNumber, rateText, toBase } from './money.ts';

const amounts = fc.integer({ min: 0, max: 100_000_000_000 });
const rates = fc.integer({ min: 1, max: 100_000_000 });

test('integer arithmetic equals decimal arithmetic, and numbers print as exact amounts', () => {
  fc.assert(
    fc.property(amounts, rates, (amount, rate) => {
      expect(baseText(toBase(amount, rate))).toBe(Big(amount).div(100).times(Big(rate).div(1_000_000)).toFixed());
      expect(Big(String(asNumber(amount))).toFixed()).toBe(amountText(amount));
      expect(Big(String(rateAsNumber(rate))).toFixed()).toBe(rateText(rate));
    }),
  );
});

test('negative sums keep their sign', () => {
  expect(baseText(-150_000_000n)).toBe('-1.5');
  expect(baseText(0n)).toBe('0');
});
