import { dayOf, type Micros } from '@croupier/contracts';
import type { LastCart } from '../families/carts/index.ts';
import type { Group, Measures, PlayerTotals } from '../totals/index.ts';
import { ageOn, birthdayOf, daysToBirthday } from './birth.ts';
import { evaluate, quotient } from './formula.ts';
import type {
  BiggestWinShow,
  BirthShow,
  Deposited,
  MessageEvent,
  MomentSource,
  PlayerFacts,
  Trait,
  TraitKind,
  TraitValue,
} from './trait.ts';

/** Everything that was read about one player. From here on there is no database access. */
export interface PlayerReading {
  /** Totals, keyed by family. */
  readonly totals: ReadonlyMap<string, PlayerTotals>;
  /** The first group of each ranking, keyed by family, then by `<ranking> lifetime` or `<ranking> <window>`. */
  readonly favorites: ReadonlyMap<string, ReadonlyMap<string, Group>>;
  /** Lifetime totals, keyed by family, then by group. */
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, Measures>>;
  readonly facts: PlayerFacts;
  readonly now: Micros;
  readonly time_zone: string;
}

/** Maximum number of groups that a breakdown shows: the largest ones. */
const maxShownGroups = 50;

const nothing: Measures = { counts: {}, sums: {}, biggest: {}, dates: {} };

/**
 * The value of a trait, for the lifetime or one of the windows that were read. Pure.
 *
 * @returns `as_of` if the value holds for another time than now
 */
export function traitValue(
  trait: Trait,
  player: PlayerReading,
  window: string | undefined,
): { value: TraitValue; as_of?: Micros } {
  const { source } = trait;
  switch (source.from) {
    case 'totals': {
      const value = evaluate(source.formula, (family) => measuresOf(player, family, window));
      return { value: asKind(trait.kind, value) };
    }
    case 'favorite': {
      const key = `${source.ranking.name} ${window ?? 'lifetime'}`;
      return { value: player.favorites.get(source.family)?.get(key)?.[source.show] ?? null };
    }
    case 'latest':
      return { value: latestOf(player.groups.get(source.family), source.date) };
    case 'groups':
      return { value: breakdownOf(player.groups.get(source.family), source.column) };
    case 'since': {
      const since = source.unless && isDeposited(source.unless, player) ? null : momentOf(source.moment, player);
      return { value: since === null ? null : daysBetween(since, player.now, player.time_zone) };
    }
    case 'birth':
      return { value: birthValue(source.show, player) };
    case 'fact':
      return { value: player.facts.facts[source.fact] };
    case 'report': {
      const report = player.facts.reports.get(source.report);
      return report === undefined ? { value: null } : { value: report.value, as_of: report.at };
    }
    case 'payment':
      return { value: player.facts.payments.get(source.payment)?.[source.show] ?? null };
    case 'active_bonuses':
      return { value: player.facts.activeBonuses?.[source.show] ?? null };
    case 'cart':
      return { value: player.facts.lastCart?.[source.show] ?? null };
    case 'cart_items':
      return { value: itemsOf(player.facts.lastCart) };
    case 'biggest_win':
      return { value: biggestWinValue(source.show, player) };
    case 'balance': {
      const balance = player.facts.balances.get(source.key);
      return balance === undefined ? { value: null } : { value: balance.value, as_of: balance.at };
    }
    case 'messages': {
      const counts = player.facts.messages && [...player.facts.messages.values()];
      return { value: counts?.reduce((sum, { [source.event]: count }) => sum + count, 0) ?? null };
    }
    case 'messages_by_campaign':
      return { value: messagesByCampaign(source.event, player) };
    case 'named_events':
      return { value: largestOf([...player.facts.namedEvents[source.kind]]) };
    default:
      return source satisfies never;
  }
}

function measuresOf({ totals }: PlayerReading, family: string, window: string | undefined): Measures {
  const own = totals.get(family);
  return (window === undefined ? own?.lifetime : own?.windows.get(window)) ?? nothing;
}

/** Counts and durations become numbers, which are exact up to 15 digits. Amounts and ratios stay decimal text. */
function asKind(kind: TraitKind, value: string | number | null): TraitValue {
  return value !== null && (kind === 'number' || kind === 'duration') ? Number(value) : value;
}

function momentOf(source: MomentSource, player: PlayerReading): Micros | null {
  if (source.from === 'fact') return player.facts.facts[source.fact];
  const at = evaluate(source.formula, (family) => measuresOf(player, family, undefined));
  return typeof at === 'number' ? at : null;
}

function isDeposited({ formula, report }: Deposited, player: PlayerReading): boolean {
  const counted = evaluate(formula, (family) => measuresOf(player, family, undefined));
  return Number(counted) > 0 || (player.facts.reports.get(report)?.value ?? 0) > 0;
}

function messagesByCampaign(event: MessageEvent, { facts }: PlayerReading): TraitValue {
  if (facts.messages === undefined) return null;
  return largestOf(
    [...facts.messages].flatMap(([campaign, { [event]: count }]) =>
      campaign === '' || count === 0 ? [] : [[campaign, count]],
    ),
  );
}

/** The number of items per name; items without a name are counted by type. */
function itemsOf(cart: LastCart | undefined): TraitValue {
  if (cart === undefined) return null;
  const named = Map.groupBy(cart.items, ({ name, type }) => name ?? type ?? '');
  return largestOf([...named].flatMap(([name, own]) => (name === '' ? [] : [[name, own.length]])));
}

function biggestWinValue(show: BiggestWinShow, { facts, now, time_zone }: PlayerReading): TraitValue {
  const { biggestWin } = facts;
  if (biggestWin === undefined) return null;
  if (show === 'days_since') return daysFrom(biggestWin.day, dayOf(time_zone, now));
  if (show === 'multiplier')
    return biggestWin.base_bet === null ? null : quotient(biggestWin.base_win, biggestWin.base_bet);
  return biggestWin[show];
}

function birthValue(show: BirthShow, { facts, now, time_zone }: PlayerReading): TraitValue {
  const { birth_date } = facts;
  if (birth_date === null) return null;
  if (show === 'birthday') return birthdayOf(birth_date);
  return (show === 'age' ? ageOn : daysToBirthday)(dayOf(time_zone, now), birth_date);
}

/** The result is at least 0, because a moment may be slightly ahead of our clock. */
function daysBetween(since: Micros, now: Micros, timeZone: string): number {
  return daysFrom(dayOf(timeZone, since), dayOf(timeZone, now));
}

function daysFrom(day: string, today: string): number {
  return Math.max(0, (Date.parse(today) - Date.parse(day)) / 86_400_000);
}

/** Groups are ordered by name. If several have the same latest time, the first is used. */
function latestOf(groups: ReadonlyMap<string, Measures> = new Map(), date: string): string | null {
  let latest: { group: string; at: Micros } | null = null;
  for (const [group, { dates }] of groups) {
    const at = dates[date];
    if (at !== undefined && at !== null && (latest === null || at > latest.at)) latest = { group, at };
  }
  return latest?.group ?? null;
}

function breakdownOf(
  groups: ReadonlyMap<string, Measures> = new Map(),
  column: string,
): Record<string, number | string> {
  const values = [...groups].flatMap(([group, { counts, sums }]): [string, number | string][] => {
    const value = counts[column] ?? sums[column] ?? 0;
    return Number(value) === 0 ? [] : [[group, value]];
  });
  return largestOf(values);
}

function largestOf(values: readonly (readonly [string, number | string])[]): Record<string, number | string> {
  return Object.fromEntries([...values].sort(([, a], [, b]) => Number(b) - Number(a)).slice(0, maxShownGroups));
}
