import { type EventKind, eventKinds } from '@croupier/contracts';
import { families } from '../families/index.ts';
import { columnsOf } from './formula.ts';
import type { MomentSource, PlayerFactName, Trait } from './trait.ts';

/** The kinds of events that can change a trait. Code that follows traits can ignore the others. */
export function kindsOfTrait({ source }: Trait): readonly EventKind[] {
  switch (source.from) {
    case 'totals':
      return columnsOf(source.formula).flatMap((column) => kindsOfTotals(column.split('.')[0] ?? ''));
    case 'favorite':
    case 'latest':
    case 'groups':
      return kindsOfTotals(source.family);
    case 'since':
      return [...kindsOfMoment(source.moment), ...(source.unless === undefined ? [] : (['payment'] as const))];
    case 'fact':
      return kindsOfFact(source.fact);
    case 'report':
    case 'payment':
      return ['payment'];
    case 'balance':
      return ['balances'];
    case 'named_events':
      return [source.kind];
    case 'biggest_win':
      return ['casino', 'gameround'];
    case 'active_bonuses':
      return ['bonus'];
    case 'cart':
    case 'cart_items':
      return ['cart'];
    // The date of birth comes from the operator's details, not from an event.
    case 'birth':
      return [];
    default:
      // A trait that is not listed here counts as depending on every kind. That costs extra reads, but misses no change.
      return eventKinds;
  }
}

function kindsOfMoment(moment: MomentSource): readonly EventKind[] {
  if (moment.from === 'fact') return kindsOfFact(moment.fact);
  return columnsOf(moment.formula).flatMap((column) => kindsOfTotals(column.split('.')[0] ?? ''));
}

function kindsOfFact(fact: PlayerFactName): readonly EventKind[] {
  return fact === 'registered_at' ? ['registration'] : eventKinds;
}

/** Sessions are made of rounds. Two families may share totals. An unknown family counts as depending on every kind. */
function kindsOfTotals(name: string): readonly EventKind[] {
  if (name === 'session') return ['casino', 'gameround'];
  const own = families.filter(({ totals }) => totals?.some(({ spec }) => spec.family === name));
  return own.length === 0 ? eventKinds : own.flatMap(({ kinds }) => kinds);
}
