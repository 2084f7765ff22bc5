import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { totalsOf } from '../../totals/index.ts';
import { arrivalOf, decide, nameOf } from './decide.ts';
import { partsOf } from './fact.ts';
import { grantedBonuses, loadBonuses, saveBonuses } from './store.ts';

export const bonusTotals = totalsOf({
  family: 'bonus',
  by: ['product'],
  counts: ['granted_count', 'turned_real_count', 'forfeited_count', 'expired_count'],
  sums: ['granted_sum', 'turned_real_sum', 'forfeited_sum'],
  biggest: [],
  dated: ['granted'],
  facts: grantedBonuses,
});

/** Bonuses of players: see README.md for their rules, bonus.ts for what a bonus is. */
export const bonuses: Derivation = {
  family: 'bonuses',
  kinds: ['bonus'],
  tables: [{ name: 'bonus' }, ...bonusTotals.tables],
  totals: [bonusTotals],
  async apply(tx, events, context) {
    const arrivals = eventsOf(events, ['bonus']).map(arrivalOf);
    const identities = new Map(arrivals.map(({ identity }) => [nameOf(identity), identity]));
    const held = await loadBonuses(tx, [...identities.values()]);
    const { changes, verdicts } = decide(held, arrivals);
    if (changes.length > 0) {
      await saveBonuses(
        tx,
        changes.map(({ after }) => after),
      );
      const parts = changes.map(({ brand_id, before, after }) => ({
        brand_id,
        before: partsOf(before),
        after: partsOf(after),
      }));
      await bonusTotals.change(tx, parts, context);
    }
    return { verdicts };
  },
};

export type { BonusEvent, CrmReferences } from './bonus.ts';
export type { Bonus } from './fact.ts';
export { type BonusFilter, type BonusPlace, type ListedBonus, listBonuses } from './list.ts';
export { metBonus } from './met.ts';
