import { factFamily, factTable, ofEventInForce } from '../../facts/index.ts';
import { totalsOf } from '../../totals/index.ts';
import { isEarlier, partsOf, type Registration, registrationOf } from './registration.ts';

/**
 * A player counts once, on the day of the earliest registration. So a day of the brand shows how many players
 * registered.
 */
export const registrationTotals = totalsOf({
  family: 'registration',
  counts: ['registration_count'],
  sums: [],
  biggest: [],
  dated: [],
  facts: 'select player_id, at, day from registration',
});

/** When and where a player registered. A registration moves no money, so a second one is a repeat. */
export const registrations = factFamily({
  family: 'registrations',
  kinds: ['registration'],
  table: factTable<Registration, 'player_id'>({
    name: 'registration',
    key: { player_id: 'bigint' },
    columns: { at: 'timestamptz', day: 'date', fingerprint: 'hash', origin: 'text', url_referer: 'text' },
  }),
  read: (source) => [registrationOf(source)],
  decide: ofEventInForce<Registration>({ takesPrecedence: isEarlier, classify: () => 'repeat' }),
  counted: [{ totals: registrationTotals, partsOf }],
});

export { readRegistration } from './read.ts';
