import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { totalsOf } from '../../totals/index.ts';
import { arrivalOf, decide, partsOf } from './funds.ts';
import { countedFunds, loadFunds, saveFunds } from './store.ts';

export const fundsTotals = totalsOf({
  family: 'funds',
  counts: ['funds_credited_count'],
  sums: ['funds_credited_sum'],
  biggest: [],
  dated: ['funds_credited'],
  facts: countedFunds,
});

/** Funds that the platform had credited: see README.md. */
export const funds: Derivation = {
  family: 'funds',
  kinds: ['funds_credited'],
  tables: [{ name: 'funds' }, ...fundsTotals.tables],
  totals: [fundsTotals],
  async apply(tx, events, context) {
    const arrivals = eventsOf(events, ['funds_credited']).map(arrivalOf);
    const held = await loadFunds(
      tx,
      arrivals.map((arrival) => arrival.funds),
    );
    const { changes, verdicts } = decide(held, arrivals);
    if (changes.length > 0) {
      await saveFunds(
        tx,
        changes.map(({ after }) => after),
      );
      const parts = changes.map(({ brand_id, before, after }) => ({
        brand_id,
        before: partsOf(before),
        after: partsOf(after),
      }));
      await fundsTotals.change(tx, parts, context);
    }
    return { verdicts };
  },
};
