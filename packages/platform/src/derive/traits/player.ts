import type { PlayerFactName, Trait } from './trait.ts';
import { daysSince } from './wording.ts';

function fact(name: PlayerFactName, meaning: string, formula: string): Trait {
  return {
    name,
    meaning,
    formula,
    kind: 'timestamp',
    unit: 'timestamp',
    windows: 'lifetime',
    source: { from: 'fact', fact: name },
  };
}

const registered = fact(
  'registered_at',
  "Time of the registration; of an account older than the integration, as the operator's details tell it.",
  "earliest timestamp of registration events; without one registration_date of the operator's details",
);
const lastEvent = fact('last_event_at', 'Time of the latest event of any kind.', 'latest timestamp of all events');

export const playerTraits: readonly Trait[] = [
  registered,
  daysSince(
    'account_age',
    registered,
    'Age of the account in days; 0 is today. An account may be years older than the integration.',
  ),
  fact('first_event_at', 'Time of the earliest event of any kind.', 'earliest timestamp of all events'),
  lastEvent,
  daysSince('days_since_event', lastEvent, 'Days since anything was heard of the player; 0 is today.'),
];
