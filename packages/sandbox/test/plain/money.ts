import { Big } from 'big.js';
import type { ProductTotals } from '../../src/index.ts';

/**
 * Money that counts at a given time, in base currency. `sizes` contains the amount of each bet (or win) that the money
 * counts as.
 */
export interface Part {
  what: 'bet' | 'win';
  at: number;
  real: Big;
  bonus: Big;
  locked: Big;
  sizes: (Big | null)[];
}

export const nothing = new Big(0);

export function total(amounts: Iterable<Big>): Big {
  return [...amounts].reduce((sum, amount) => sum.plus(amount), nothing);
}

export function productTotals(parts: readonly Part[]): ProductTotals {
  const side = (what: 'bet' | 'win') => {
    const own = parts.filter((part) => part.what === what);
    const counted = own.filter(({ sizes }) => sizes.length > 0).map(({ at }) => at);
    const sizes = own.flatMap((part) => part.sizes).filter((size) => size !== null);
    return {
      [`${what}_count`]: own.reduce((sum, part) => sum + part.sizes.length, 0),
      [`real_${what}_sum`]: total(own.map(({ real }) => real)).toFixed(),
      [`bonus_${what}_sum`]: total(own.map(({ bonus }) => bonus)).toFixed(),
      [`locked_${what}_sum`]: total(own.map(({ locked }) => locked)).toFixed(),
      [`${what}_biggest`]: sizes.length === 0 ? null : sizes.reduce((a, b) => (a.gt(b) ? a : b)).toFixed(),
      [`${what}_first_at`]: counted.length === 0 ? null : Math.min(...counted),
      [`${what}_last_at`]: counted.length === 0 ? null : Math.max(...counted),
    };
  };
  return { ...side('bet'), ...side('win') } as unknown as ProductTotals;
}
