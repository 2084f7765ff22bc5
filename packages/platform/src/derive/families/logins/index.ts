import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { totalsOf } from '../../totals/index.ts';
import { decide, loginOf, nameOf, partsOf } from './login.ts';
import { countedLogins, loadLogins, saveLogins } from './store.ts';

export const loginTotals = totalsOf({
  family: 'login',
  counts: ['login_count', 'logout_count'],
  sums: [],
  biggest: [],
  dated: ['login', 'logout'],
  facts: countedLogins,
});

/** Logins and logouts of players. */
export const logins: Derivation = {
  family: 'logins',
  kinds: ['login', 'logout'],
  tables: [{ name: 'login' }, ...loginTotals.tables],
  totals: [loginTotals],
  async apply(tx, events, context) {
    const arrivals = eventsOf(events, ['login', 'logout']).map((source) => ({ source, login: loginOf(source) }));
    const keys = new Map(arrivals.map(({ login }) => [nameOf(login), login]));
    const { changes, verdicts } = decide(await loadLogins(tx, [...keys.values()]), arrivals);
    if (changes.length > 0) {
      await saveLogins(
        tx,
        changes.map(({ after }) => after),
      );
      const parts = changes.map(({ brand_id, before, after }) => ({
        brand_id,
        before: partsOf(before),
        after: partsOf(after),
      }));
      await loginTotals.change(tx, parts, context);
    }
    return { verdicts };
  },
};
