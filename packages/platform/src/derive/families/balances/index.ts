import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { arrivalOf, decide } from './balance.ts';
import { loadBalances, saveBalances } from './store.ts';

/** The last balance of each key: see README.md. */
export const balances: Derivation = {
  family: 'balances',
  kinds: ['balances'],
  tables: [{ name: 'balance' }],
  async apply(tx, events) {
    const arrivals = eventsOf(events, ['balances']).map(arrivalOf);
    const held = await loadBalances(
      tx,
      arrivals.flatMap((arrival) => arrival.balances),
    );
    const { changed, verdicts } = decide(held, arrivals);
    if (changed.length > 0) await saveBalances(tx, changed);
    return { verdicts };
  },
};

export { type ListedBalance, listBalances } from './list.ts';
export { metBalance } from './met.ts';
