import { factFamily, factTable, standing } from '../../facts/index.ts';
import { isEarlier, type Registration, registrationOf } from './registration.ts';

/** When and where a player registered. A registration moves no money, so a second one is a repeat. */
export const registrations = factFamily({
  family: 'registrations',
  kinds: ['registration'],
  table: factTable<Registration, 'player_id'>({
    name: 'registration',
    key: { player_id: 'bigint' },
    columns: { at: 'timestamptz', fingerprint: 'hash', origin: 'text', url_referer: 'text' },
  }),
  read: (source) => [registrationOf(source)],
  decide: standing<Registration>({ stands: isEarlier, meet: () => 'repeat' }),
});

export { readRegistration } from './read.ts';
