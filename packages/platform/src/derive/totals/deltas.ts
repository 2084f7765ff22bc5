import type { DecimalText, Micros } from '@croupier/contracts';
import Big from 'big.js';
import { hourOf, keepsHour, type Part } from './spec.ts';

/** How one row of a totals table changes. */
export interface Delta {
  player_id: number;
  /** The row's day or hour; null in the lifetime table. */
  period: string | Micros | null;
  counts: Map<string, number>;
  sums: Map<string, Big>;
  biggest: Map<string, Big>;
  first: Map<string, Micros>;
  last: Map<string, Micros>;
  /** A fact left this row: its extremes have to be read from the facts again, and it may be empty now. */
  left: boolean;
}

export interface Deltas {
  total: Delta[];
  day: Delta[];
  hour: Delta[];
}

/** What a fact is worth before and after a batch; no parts where it is worth nothing. */
export interface PartsChange {
  brand_id: number;
  before: readonly Part[];
  after: readonly Part[];
}

/** Adds up the changes of all facts, one delta per row of the totals tables. Pure. */
export function deltasOf(changes: readonly PartsChange[], now: Micros): Deltas {
  const total = new Map<string, Delta>();
  const day = new Map<string, Delta>();
  const hours = new Map<string, Delta>();
  const add = (part: Part, sign: 1 | -1) => {
    addTo(rowOf(total, part.player_id, null), part, sign);
    addTo(rowOf(day, part.player_id, part.day), part, sign);
    if (keepsHour(part.at, now)) addTo(rowOf(hours, part.player_id, hourOf(part.at)), part, sign);
  };
  for (const { before, after } of changes) {
    const gone = before.filter((part) => !after.some((other) => sameWorth(part, other)));
    const come = after.filter((part) => !before.some((other) => sameWorth(part, other)));
    for (const part of gone) add(part, -1);
    for (const part of come) add(part, 1);
  }
  return { total: [...total.values()], day: [...day.values()], hour: [...hours.values()] };
}

function rowOf(rows: Map<string, Delta>, player_id: number, period: Delta['period']): Delta {
  const key = `${player_id}:${period}`;
  const known = rows.get(key);
  if (known !== undefined) return known;
  const row: Delta = {
    player_id,
    period,
    counts: new Map(),
    sums: new Map(),
    biggest: new Map(),
    first: new Map(),
    last: new Map(),
    left: false,
  };
  rows.set(key, row);
  return row;
}

function addTo(row: Delta, part: Part, sign: 1 | -1): void {
  for (const column in part.counts) {
    row.counts.set(column, (row.counts.get(column) ?? 0) + sign * (part.counts[column] ?? 0));
  }
  for (const column in part.sums) row.sums.set(column, plus(row.sums.get(column), part.sums[column], sign));
  if (sign === -1) {
    row.left = true;
    return;
  }
  for (const column in part.biggest) {
    const value = new Big(part.biggest[column] ?? 0);
    const held = row.biggest.get(column);
    if (held === undefined || value.gt(held)) row.biggest.set(column, value);
  }
  for (const name of part.dated ?? []) {
    row.first.set(name, Math.min(row.first.get(name) ?? part.at, part.at));
    row.last.set(name, Math.max(row.last.get(name) ?? part.at, part.at));
  }
}

function plus(held: Big | undefined, value: DecimalText | undefined, sign: 1 | -1): Big {
  const sum = held ?? new Big(0);
  return value === undefined || value === '0' ? sum : sign === 1 ? sum.plus(value) : sum.minus(value);
}

function sameWorth(a: Part, b: Part): boolean {
  return (
    a.at === b.at &&
    a.day === b.day &&
    sameRecord(a.counts, b.counts) &&
    sameRecord(a.sums ?? {}, b.sums ?? {}) &&
    sameRecord(a.biggest ?? {}, b.biggest ?? {}) &&
    (a.dated ?? []).join() === (b.dated ?? []).join()
  );
}

function sameRecord<T>(a: Readonly<Record<string, T>>, b: Readonly<Record<string, T>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
