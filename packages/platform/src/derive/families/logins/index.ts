import { factFamily, factTable, ofEventInForce } from '../../facts/index.ts';
import { totalsOf } from '../../totals/index.ts';
import { type Login, loginOf, partsOf } from './login.ts';

export const loginTotals = totalsOf({
  family: 'login',
  counts: ['login_count', 'logout_count'],
  sums: [],
  biggest: [],
  dated: ['login', 'logout'],
  // One `select` per action, so that a condition on `at` can use the primary key.
  facts: `
    select player_id, at, day, at as login_at, null::timestamptz as logout_at from login where action = 'login' and counted
    union all
    select player_id, at, day, null, at from login where action = 'logout' and counted`,
});

/** Logins and logouts of players. They move no money, so a second one at the same moment is a repeat. */
export const logins = factFamily({
  family: 'logins',
  kinds: ['login', 'logout'],
  table: factTable<Login, 'player_id' | 'action' | 'at'>({
    name: 'login',
    key: { player_id: 'bigint', action: 'text', at: 'timestamptz' },
    columns: { fingerprint: 'hash', day: 'date', counted: 'boolean', origin: 'text' },
  }),
  read: (source) => [loginOf(source)],
  decide: ofEventInForce<Login>({ takesPrecedence: (a, b) => a.fingerprint < b.fingerprint, classify: () => 'repeat' }),
  counted: [{ totals: loginTotals, partsOf }],
});
