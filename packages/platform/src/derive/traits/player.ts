import type { BirthShow, PlayerFactName, Trait, TraitKind, Unit } from './trait.ts';
import { count, daysSince, daysWithoutDeposit } from './wording.ts';

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

/** Traits of the date of birth in the operator's details. */
function ofBirth(show: BirthShow, kind: TraitKind, unit: Unit, meaning: string, formula: string): Trait {
  return {
    name: show,
    kind,
    unit,
    windows: 'lifetime',
    meaning,
    formula,
    source: { from: 'birth', show },
    personal: true,
  };
}

const registered = fact(
  'registered_at',
  "Time of the registration. For accounts older than the integration, the date from the operator's details.",
  "earliest timestamp of registration events; if there is none, registration_date of the operator's details",
);
const lastEvent = fact('last_event_at', 'Time of the latest event of any kind.', 'latest timestamp of all events');

export const playerTraits: readonly Trait[] = [
  registered,
  daysSince(
    'account_age',
    registered,
    'Age of the account in days; 0 is today. An account may be years older than the integration.',
  ),
  daysWithoutDeposit(
    'days_registered_without_deposit',
    registered,
    'Days since the registration without a deposit; 0 is today. Null for players who have deposited.',
  ),
  count(
    {
      name: 'registration_count',
      meaning:
        'Number of registrations: 1 in the window that contains the registration. As a daily figure, the number of players who registered.',
      formula: 'count of the earliest registration event',
    },
    'registration.registration_count',
  ),
  ofBirth('age', 'number', 'years', 'Age of the player in full years.', "today - birth_date of the operator's details"),
  ofBirth(
    'birthday',
    'text',
    'text',
    'Birthday: month and day, for example 05-01.',
    "month and day of birth_date of the operator's details",
  ),
  ofBirth(
    'days_to_birthday',
    'number',
    'days',
    'Days until the next birthday; 0 is today.',
    "next birthday - today, in calendar days of the brand's time zone; a birthday on February 29 counts as February 28 in non-leap years",
  ),
  fact('first_event_at', 'Time of the earliest event of any kind.', 'earliest timestamp of all events'),
  lastEvent,
  daysSince('days_since_event', lastEvent, 'Days since the latest event of the player; 0 is today.'),
];
