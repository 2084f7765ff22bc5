import { columnsOf } from '../../database/index.ts';
import type { Delta } from './deltas.ts';
import type { DatedExtreme, Extreme } from './extremes.ts';
import { floorTable } from './floor.ts';
import type { TotalsSpec } from './spec.ts';
import { type KeyTypes, matching } from './table.ts';

/*
 * Extremes are read again if a row contains exactly the value that was removed. Operators roll back bets all day,
 * mostly the latest bets of a player. So this must not cost more for a player with a long history:
 *
 *   a day's or an hour's biggest   from the facts of that day or hour
 *   the lifetime's biggest         from the player's day rows, of which a year has a few hundred
 *   a first or last date           from the facts of one day: the first or last whose row counts something under that name
 *
 * All of it is done row by row (`lateral`, subqueries), so that player and time are index conditions in every branch of
 * the facts. A join would read the tables of all players: 53 microseconds per event instead of 2.
 */
export interface Reread {
  readonly name: string;
  readonly text: string;
  /** The removed value of each extreme of the statement; null if none was removed. */
  left(gone: Delta['gone']): (string | number | null)[];
}

export interface KeyedTable {
  readonly name: string;
  readonly key: KeyTypes;
}

/**
 * A time zone is at most 14 hours ahead of UTC and 12 behind it, so the facts of a day lie between these bounds in any
 * zone.
 */
const dayBegins = (day: string) => `(${day}::timestamp at time zone 'UTC' - interval '15 hours')`;
const dayEnds = (day: string) => `(${day}::timestamp at time zone 'UTC' + interval '39 hours')`;

/** The facts of one day as a `from` clause; conditions may follow with `and`. */
export function factsOfDay(spec: TotalsSpec, day: string): string {
  return `${factsWithin(spec, { since: dayBegins(day), until: dayEnds(day) })} and f.day = ${day}`;
}

export function rereadOfFacts(
  spec: TotalsSpec,
  table: KeyedTable,
  period: 'day' | 'hour',
  columns: readonly Extreme[],
): Reread {
  const ofHour = { since: 'k.hour', until: `(k.hour + interval '1 hour')` };
  const span = period === 'hour' ? ofHour : { since: dayBegins('k.day'), until: dayEnds('k.day') };
  const conditions = [...ofGroup(table), ...(period === 'day' ? ['f.day = k.day'] : [])];
  return rereadFrom(table, columns, `${factsWithin(spec, span)} and ${conditions.join(' and ')}`);
}

/** Uses day rows, because a player may have many facts, and the oldest ones are not kept forever. */
export function rereadOfDays(spec: TotalsSpec, table: KeyedTable, columns: readonly Extreme[]): Reread {
  return rereadFrom(table, columns, `${spec.family}_day f where ${ofGroup(table).join(' and ')}`);
}

function rereadFrom(table: KeyedTable, columns: readonly Extreme[], source: string): Reread {
  const { name } = table;
  const keys = Object.keys(table.key);
  return {
    name: `${name}_reread_biggest`,
    text: `update ${name} t set ${columns.map((column) => `${column.name} = r.${column.name}`).join(', ')}
      from (
        select ${keys.map((key) => `k.${key}`).join(', ')}, x.*
        from (select k.* from ${givenWithLeft(table, columns)} join ${name} t on ${matching('t', 'k', keys)}
              where ${columns.map(holdsRemoved).join(' or ')}) k
        cross join lateral (
          select ${columns.map(({ name, pick, of }) => `${pick}(f.${of}) as ${name}`).join(', ')} from ${source}
        ) x
      ) r
      where ${matching('t', 'r', keys)}`,
    left: (gone) => columns.map((column) => column.left(gone)),
  };
}

/**
 * One statement per date, because a rollback usually removes one, and planning costs more than running. The floor
 * contains the dates of facts that are no longer kept.
 */
export function rereadDate(spec: TotalsSpec, table: KeyedTable, column: DatedExtreme): Reread {
  const { name } = table;
  const keys = Object.keys(table.key);
  const retained = dateOfDay(spec, table, column);
  const floor = `(select f.${column.name} from ${floorTable(spec)} f where ${ofGroup(table).join(' and ')})`;
  const reread = spec.forgets ? `${column.pick === 'min' ? 'least' : 'greatest'}(${retained}, ${floor})` : retained;
  return {
    name: `${name}_reread_${column.name}`,
    text: `update ${name} t set ${column.name} = ${reread}
      from ${givenWithLeft(table, [column])} where ${matching('t', 'k', keys)} and ${holdsRemoved(column)}`,
    left: (gone) => [column.left(gone)],
  };
}

/**
 * Days are in the same order as the moments in them, so the extreme is on the first or last day that counts one. If some
 * or all facts of that day were removed, the floor contains their dates.
 */
function dateOfDay(spec: TotalsSpec, table: KeyedTable, { pick, of, count }: DatedExtreme): string {
  const outermost = `select f.day, ${dayBegins('f.day')} as since, ${dayEnds('f.day')} as until
    from ${spec.family}_day f where ${ofGroup(table).join(' and ')} and f.${count} > 0
    order by f.day ${pick === 'min' ? 'asc' : 'desc'} limit 1`;
  const facts = factsWithin(spec, { since: 'd.since', until: 'd.until' });
  return `(select x.at from (${outermost}) d
    cross join lateral (
      select ${pick}(f.${of}) as at from ${facts} and ${ofGroup(table).join(' and ')} and f.day = d.day and f.${of} is not null
    ) x)`;
}

function factsWithin(spec: TotalsSpec, { since, until }: { since: string; until: string }): string {
  const rows = spec.factsWithin?.(since, until) ?? spec.facts;
  return `(${rows}) f where f.at >= ${since} and f.at < ${until}`;
}

function ofGroup({ key }: KeyedTable): string[] {
  return Object.keys(key)
    .filter((column) => column !== 'day' && column !== 'hour')
    .map((column) => `f.${column} = k.${column}`);
}

function givenWithLeft({ key }: KeyedTable, columns: readonly Extreme[]): string {
  const left = Object.fromEntries(columns.map((column) => [leftName(column), column.type]));
  return columnsOf<Record<string, unknown>>({ ...key, ...left }).given('k');
}

function leftName({ name }: Extreme): string {
  return `left_${name}`;
}

function holdsRemoved(column: Extreme): string {
  return `t.${column.name} = k.${leftName(column)}`;
}
