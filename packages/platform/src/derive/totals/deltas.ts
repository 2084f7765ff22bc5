import type { Micros } from '@croupier/contracts';
import Big from 'big.js';
import { type PartsChange, partsChanged } from './parts.ts';
import { hourOf, keepsHour, type Part } from './spec.ts';

/** How one row of a player's totals table changes. */
export interface Delta {
  brand_id: number;
  player_id: number;
  /** The row's day or hour; null in the lifetime table. */
  period: string | Micros | null;
  /** Values of `TotalsSpec.by`, in its order; empty in the table per hour. */
  by: readonly string[];
  counts: Map<string, number>;
  sums: Map<string, Big>;
  /** The most extreme values that were added: largest, earliest, latest. */
  biggest: Map<string, Big>;
  first: Map<string, Micros>;
  last: Map<string, Micros>;
  /** The most extreme values that were removed. */
  gone: { biggest: Map<string, Big>; first: Map<string, Micros>; last: Map<string, Micros> };
}

/** How a row of the brand's roll-up changes, without its number of players, which follows from the day rows. */
export interface BrandDelta {
  brand_id: number;
  day: string;
  counts: Map<string, number>;
  sums: Map<string, Big>;
}

/** Rows are in the order of their keys, so that two transactions on the same rows cannot deadlock. */
export interface Deltas {
  total: Delta[];
  day: Delta[];
  hour: Delta[];
  brand: BrandDelta[];
}

/**
 * Sums the changes of all facts: one delta per row, none for a row that does not change. Pure.
 *
 * @param by the columns of `TotalsSpec.by`
 */
export function deltasOf(changes: readonly PartsChange[], now: Micros, by: readonly string[] = []): Deltas {
  const total = new Map<string, Delta>();
  const day = new Map<string, Delta>();
  const hours = new Map<string, Delta>();
  const brand = new Map<string, BrandDelta>();
  for (const change of changes) {
    const { gone, come } = partsChanged(change);
    const add = (part: Part, sign: 1 | -1) => {
      const of = { brand_id: change.brand_id, player_id: part.player_id };
      const sums = sumsOf(part, sign);
      const values = by.length === 0 ? by : by.map((column) => part.by?.[column] ?? '');
      addTo(rowOf(total, of, null, values), part, sums, sign);
      addTo(rowOf(day, of, part.day, values), part, sums, sign);
      if (keepsHour(part.at, now)) addTo(rowOf(hours, of, hourOf(part.at), []), part, sums, sign);
      addUp(brandRowOf(brand, change.brand_id, part.day), part, sums, sign);
    };
    for (const part of gone) add(part, -1);
    for (const part of come) add(part, 1);
  }
  return {
    total: rowsOf(total).filter(isChange),
    day: rowsOf(day).filter(isChange),
    hour: rowsOf(hours).filter(isChange),
    brand: rowsOf(brand),
  };
}

/**
 * Extremes that were removed from a row, if nothing in the same batch reaches them. If the row contains exactly that value, the extreme
 * must be read again. If an added value equals the removed one, the statement that adds it to the row gives the right value.
 */
export function outdone(delta: Delta): Delta['gone'] {
  const { gone } = delta;
  return {
    biggest: keep(gone.biggest, delta.biggest, (left, came) => left.gt(came)),
    first: keep(gone.first, delta.first, (left, came) => left < came),
    last: keep(gone.last, delta.last, (left, came) => left > came),
  };
}

function keep<T>(gone: Map<string, T>, come: Map<string, T>, outdoes: (left: T, came: T) => boolean): Map<string, T> {
  if (gone.size === 0) return gone;
  return new Map(
    [...gone].filter(([name, left]) => {
      const came = come.get(name);
      return came === undefined || outdoes(left, came);
    }),
  );
}

function rowsOf<T>(rows: Map<string, T>): T[] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Nothing is removed from most rows, so they share these maps. */
const nothingGone: Delta['gone'] = { biggest: new Map(), first: new Map(), last: new Map() };

function rowOf(
  rows: Map<string, Delta>,
  of: Pick<Delta, 'brand_id' | 'player_id'>,
  period: Delta['period'],
  by: readonly string[],
): Delta {
  // No text of an event contains a zero byte (PostgreSQL stores none), so it separates the values of `by`
  // unambiguously.
  const key = by.length === 0 ? `${of.player_id}:${period}` : `${of.player_id}:${period}:${by.join('\0')}`;
  const known = rows.get(key);
  if (known !== undefined) return known;
  const row: Delta = {
    ...of,
    period,
    by,
    counts: new Map(),
    sums: new Map(),
    biggest: new Map(),
    first: new Map(),
    last: new Map(),
    gone: nothingGone,
  };
  rows.set(key, row);
  return row;
}

function brandRowOf(rows: Map<string, BrandDelta>, brand_id: number, day: string): BrandDelta {
  const key = `${brand_id}:${day}`;
  const known = rows.get(key);
  if (known !== undefined) return known;
  const row: BrandDelta = { brand_id, day, counts: new Map(), sums: new Map() };
  rows.set(key, row);
  return row;
}

/** Makes one exact number per sum, for all four rows that it is added to. */
function sumsOf({ sums }: Part, sign: 1 | -1): [string, Big][] {
  const values: [string, Big][] = [];
  for (const column in sums) {
    const value = sums[column];
    if (value !== undefined && value !== '0') values.push([column, sign === 1 ? new Big(value) : new Big(value).neg()]);
  }
  return values;
}

function addUp(row: BrandDelta | Delta, part: Part, sums: readonly [string, Big][], sign: 1 | -1): void {
  for (const column in part.counts) {
    row.counts.set(column, (row.counts.get(column) ?? 0) + sign * (part.counts[column] ?? 0));
  }
  for (const [column, value] of sums) row.sums.set(column, row.sums.get(column)?.plus(value) ?? value);
}

function addTo(row: Delta, part: Part, sums: readonly [string, Big][], sign: 1 | -1): void {
  addUp(row, part, sums, sign);
  if (sign === -1 && row.gone === nothingGone) row.gone = { biggest: new Map(), first: new Map(), last: new Map() };
  const extremes = sign === 1 ? row : row.gone;
  for (const column in part.biggest) {
    const value = new Big(part.biggest[column] ?? 0);
    const held = extremes.biggest.get(column);
    if (held === undefined || value.gt(held)) extremes.biggest.set(column, value);
  }
  for (const name of part.dated ?? []) {
    extremes.first.set(name, Math.min(extremes.first.get(name) ?? part.at, part.at));
    extremes.last.set(name, Math.max(extremes.last.get(name) ?? part.at, part.at));
  }
}

function isChange(row: Delta): boolean {
  return isSum(row) || row.biggest.size + row.first.size + row.gone.biggest.size + row.gone.first.size > 0;
}

/** True if any count or sum changes. */
export function isSum({ counts, sums }: BrandDelta | Delta): boolean {
  for (const count of counts.values()) if (count !== 0) return true;
  for (const sum of sums.values()) if (!sum.eq(0)) return true;
  return false;
}
