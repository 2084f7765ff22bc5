import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { allTotals } from '../families/index.ts';
import { readSessionTotals } from '../families/sessions/index.ts';
import {
  type Group,
  type Measures,
  type PlayerTotals,
  type Ranking,
  readFavorites,
  readGroups,
  readTotals,
  type TotalsSpec,
  usualWindows,
  type Window,
  windowName,
} from '../totals/index.ts';
import { traitCatalog } from './catalog.ts';
import { readFacts, type TraitPlayer } from './facts.ts';
import type { Trait, TraitSource, TraitValue, Unit } from './trait.ts';
import { type PlayerReading, traitValue } from './value.ts';

export interface TraitReading {
  value: TraitValue;
  unit: Unit;
  /** The time for which the value holds: now, or the time of the report that it comes from. */
  as_of: Micros;
}

/** The windows of favorites, regardless of the requested windows (docs/reference/decisions.md 3). */
export const favoriteWindows = [
  { unit: 'days', count: 30 },
  { unit: 'days', count: 90 },
] as const satisfies readonly Window[];

/**
 * All traits of one player, with the given windows, by name: `deposit_count`, `deposit_count_24h`, `deposit_count_7d`.
 *
 * Windows are computed as of `now`, so they expire without any event. It runs one statement per family, all
 * concurrently on a pool. So the result is not one snapshot: a batch may commit between two of its statements.
 */
export async function readTraits(
  db: Pool | ClientBase,
  player: TraitPlayer,
  now: Micros,
  windows: readonly Window[] = usualWindows,
): Promise<Record<string, TraitReading>> {
  const [totals, favorites, groups, facts] = await Promise.all([
    readAllTotals(db, player, now, windows),
    readAllFavorites(db, player, now),
    readAllGroups(db, player),
    readFacts(db, player, now),
  ]);
  const reading: PlayerReading = { totals, favorites, groups, facts, now, time_zone: player.time_zone };
  const readings: Record<string, TraitReading> = {};
  for (const trait of traitCatalog) {
    const { name, unit } = trait;
    readings[name] = { unit, as_of: now, ...traitValue(trait, reading, undefined) };
    for (const window of windowsOf(trait, windows).map(windowName)) {
      readings[`${name}_${window}`] = { unit, as_of: now, ...traitValue(trait, reading, window) };
    }
  }
  return readings;
}

/** The names of all traits, with these windows, that a reading contains. Pure. */
export function traitNames(windows: readonly Window[]): Set<string> {
  return new Set(
    traitCatalog.flatMap((trait) => [
      trait.name,
      ...windowsOf(trait, windows).map((window) => `${trait.name}_${windowName(window)}`),
    ]),
  );
}

function windowsOf(trait: Trait, asked: readonly Window[]): readonly Window[] {
  if (trait.windows === 'lifetime') return [];
  return trait.windows === 'favorite' ? favoriteWindows : asked;
}

async function readAllTotals(
  db: Pool | ClientBase,
  player: TraitPlayer,
  now: Micros,
  windows: readonly Window[],
): Promise<Map<string, PlayerTotals>> {
  const ofFamilies = allTotals.map(async ({ spec }) => {
    return [spec.family, await readTotals(db, spec, player, now, windows)] as const;
  });
  const ofSessions = readSessionTotals(db, player, now, windows);
  return new Map([...(await Promise.all(ofFamilies)), ['session', await ofSessions]]);
}

async function readAllFavorites(
  db: Pool | ClientBase,
  player: TraitPlayer,
  now: Micros,
): Promise<Map<string, Map<string, Group>>> {
  const read = familiesOf('favorite').map(async ([spec, sources]) => {
    const rankings = new Map<string, Ranking>(sources.map(({ ranking }) => [ranking.name, ranking]));
    const favorites = await readFavorites(db, spec, [...rankings.values()], player, now, favoriteWindows);
    return [spec.family, favorites] as const;
  });
  return new Map(await Promise.all(read));
}

async function readAllGroups(
  db: Pool | ClientBase,
  { player_id }: TraitPlayer,
): Promise<Map<string, Map<string, Measures>>> {
  const read = familiesOf('groups').map(async ([spec, [first]]) => {
    const groups = first === undefined ? new Map() : await readGroups(db, spec, first.group, player_id);
    return [spec.family, groups] as const;
  });
  return new Map(await Promise.all(read));
}

type Split = Extract<TraitSource, { from: 'favorite' | 'groups' }>;

/** The families for traits with one type of source, with those sources. */
function familiesOf<F extends Split['from']>(from: F): [TotalsSpec, Extract<Split, { from: F }>[]][] {
  const isOne = (source: TraitSource): source is Extract<Split, { from: F }> => source.from === from;
  const sources = traitCatalog.map(({ source }) => source).filter(isOne);
  return allTotals.flatMap(({ spec }): [TotalsSpec, Extract<Split, { from: F }>[]][] => {
    const own = sources.filter((source: Split) => source.family === spec.family);
    return own.length === 0 ? [] : [[spec, own]];
  });
}
