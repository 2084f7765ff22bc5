import type { Micros } from '@croupier/contracts';
import { type Comparison, plusDays, type Value } from '@croupier/rules';
import Big from 'big.js';
import {
  type Column,
  columnsOf,
  evaluateFormula,
  type Formula,
  type Measures,
  placeOf,
  type Window,
  windowName,
} from '../../../derive/index.ts';
import { startOfDaySql } from '../day-start.ts';
import type { Aggregate, Joins } from '../joins.ts';
import { type LoadedRows, type LoadPlan, type PlayerRows, type Row, readSince } from '../load-plan.ts';
import type { FieldReading, TimedValue } from '../reading.ts';
import { type Buckets, bucketsOf as bucketsOfFamily } from './buckets.ts';
import { formulaSql } from './formula-sql.ts';
import { type Bucket, bucketsOf, bucketText, nextMove, stayOf } from './window.ts';

const nothing: Measures = { counts: {}, sums: {}, biggest: {}, dates: {} };

/** A trait of totals over the lifetime. Time alone does not change it. */
export function lifetimeReading(formula: Formula): Omit<FieldReading, 'field'> {
  return {
    sql: (joins) => formulaSql(formula, (column) => lifetimeColumn(column, joins)),
    ...rowlessReading(formula, (family, joins) => lifetimeAlias(family, joins)),
    comparison: (node, joins) =>
      node.operator === '=' && Number(node.value) === 0 ? isZeroSql(formula) : plainSql(formula, node, joins),
  };
}

/**
 * A count is 0 if all of the player's rows are 0, because no row is negative. PostgreSQL can check this without adding up the rows of
 * all players.
 */
function isZeroSql(formula: Formula): string | undefined {
  const column = onlyColumn(formula);
  if (column === undefined || !column.endsWith('_count')) return undefined;
  const { family, name } = placeOf(column);
  const { single, lifetime } = bucketsOfFamily(family);
  if (single) return undefined;
  return `not exists (select from ${lifetime} t where t.player_id = p.player_id and t.${name} <> 0)`;
}

const comparisons: Readonly<Record<string, (total: number, value: number) => boolean>> = {
  '=': (total, value) => total === value,
  '<': (total, value) => total < value,
  '<=': (total, value) => total <= value,
  '>': (total, value) => total > value,
  '>=': (total, value) => total >= value,
};
/** A number that can be compared and added up without loss. */
const wholeNumber = /^-?\d{1,15}$/;

/**
 * Compares a whole number with a count that is a column of one row per player. PostgreSQL has statistics for the column itself, but not for
 * a conversion of it, for which it would assume a third of the rows. A player without a row has 0, so comparisons that 0 satisfies are left
 * out.
 */
function plainSql(formula: Formula, { operator, value }: Comparison, joins: Joins): string | undefined {
  const column = onlyColumn(formula);
  const holds = comparisons[operator];
  if (column === undefined || !column.endsWith('_count') || holds === undefined) return undefined;
  if (!wholeNumber.test(String(value)) || holds(0, Number(value))) return undefined;
  const { family, name } = placeOf(column);
  const { single, lifetime } = bucketsOfFamily(family);
  if (!single) return undefined;
  return `(${joins.table(lifetime)}.${name} ${operator} ${joins.writer.parameter(String(value), 'bigint')})`;
}

/** The column that a formula returns unchanged. */
function onlyColumn(formula: Formula): Column | undefined {
  if (!('sum' in formula) || formula.sum.length > 1 || formula.less !== undefined) return undefined;
  return formula.sum[0];
}

/** The result of a formula for players who have no row in the totals of its family. */
function rowlessReading(
  formula: Formula,
  aliasOf: (family: string, joins: Joins) => string,
): Pick<FieldReading, 'rowless'> {
  const [family, ...others] = new Set(columnsOf(formula).map((column) => placeOf(column).family));
  if (family === undefined || others.length > 0) return {};
  const value = evaluateFormula(formula, () => nothing);
  return { rowless: (joins) => ({ alias: aliasOf(family, joins), value }) };
}

/** A trait of totals over a window. All windows of a table are computed in one join. */
export function windowReading(formula: Formula, window: Window): Omit<FieldReading, 'field'> {
  return {
    sql: (joins) => formulaSql(formula, (column) => windowColumn(column, window, joins)),
    ...rowlessReading(formula, (family, joins) => windowAggregate(family, window, joins).alias),
    changesSql: (joins) => {
      const families = new Set(columnsOf(formula).map((column) => placeOf(column).family));
      return `least(${[...families].map((family) => nextMoveSql(family, window, joins)).join(', ')})`;
    },
    timed: (loads) => {
      const plan = new WindowPlan(formula, window, loads);
      return (rows) => new WindowValue(plan, rows);
    },
  };
}

function lifetimeColumn(column: Column, joins: Joins): string {
  const { family, name } = placeOf(column);
  const buckets = bucketsOfFamily(family);
  if (buckets.single) return `${joins.table(buckets.lifetime)}.${name}`;
  return lifetimeAggregate(family, joins).column(name, () => buckets.sum(name));
}

function lifetimeAlias(family: string, joins: Joins): string {
  const { single, lifetime } = bucketsOfFamily(family);
  return single ? joins.table(lifetime) : lifetimeAggregate(family, joins).alias;
}

const lifetimeAggregate = (family: string, joins: Joins) =>
  joins.aggregate(`${family} lifetime`, bucketsOfFamily(family).lifetime);

const windowAggregate = (family: string, { unit }: Window, joins: Joins) =>
  joins.aggregate(`${family} ${unit}`, bucketsOfFamily(family)[unit]);

function windowColumn(column: Column, window: Window, joins: Joins): string {
  const { family, name } = placeOf(column);
  const buckets = bucketsOfFamily(family);
  const aggregate = windowAggregate(family, window, joins);
  const stretch = stretchOf(window, aggregate, joins);
  return aggregate.column(`${name} ${windowName(window)}`, () => buckets.sum(name, stretch), stretch);
}

const bucketColumn = { days: { name: 'day', type: 'date' }, hours: { name: 'hour', type: 'timestamptz' } } as const;

function stretchOf(window: Window, aggregate: Aggregate, { writer }: Joins): string {
  return aggregate.stretch(windowName(window), () => {
    const { name, type } = bucketColumn[window.unit];
    const [first, last] = bucketsOf(window, writer.reading.at, writer.reading.zone);
    return `${name} between ${writer.parameter(bucketText(first), type)} and ${writer.parameter(bucketText(last), type)}`;
  });
}

/** When the oldest bucket of the window leaves it, or the next bucket enters it. */
export function nextMoveSql(family: string, window: Window, joins: Joins): string {
  const { name, type } = bucketColumn[window.unit];
  const { writer } = joins;
  const aggregate = windowAggregate(family, window, joins);
  const stretch = stretchOf(window, aggregate, joins);
  const [, last] = bucketsOf(window, writer.reading.at, writer.reading.zone);
  const behind = aggregate.stretch(
    `behind ${windowName(window)}`,
    () => `${name} > ${writer.parameter(bucketText(last), type)}`,
  );
  const least = (of: string) => aggregate.column(`first ${of}`, () => `min(${name}) filter (where ${of})`, of);
  const [enters, leaves] = stayOf(window);
  return `least(${momentOf(least(stretch), leaves, window, joins)}, ${momentOf(least(behind), enters, window, joins)})`;
}

function momentOf(bucket: string, later: number, { unit }: Window, joins: Joins): string {
  return unit === 'hours' ? `${bucket} + interval '${later} hours'` : startOfDaySql(`(${bucket} + ${later})`, joins);
}

/** The rows of a family that a formula needs, and their columns. */
interface FamilyRows {
  readonly family: string;
  readonly loaded: LoadedRows;
  readonly columns: readonly { readonly name: string; readonly joined: ReturnType<Buckets['joined']> }[];
}

/** The parts that are equal for all players: the rows to load, and the buckets of the window at a moment. */
class WindowPlan {
  readonly formula: Formula;
  readonly window: Window;
  readonly zone: string;
  readonly families: readonly FamilyRows[];
  /** A cache. All players are read at the same moment, and all later moments are midnights and full hours. */
  readonly #spans = new Map<Micros, Span>();

  constructor(formula: Formula, window: Window, loads: LoadPlan) {
    this.formula = formula;
    this.window = window;
    this.zone = loads.zone;
    this.families = loadBuckets(formula, window, loads);
  }

  spanAt(at: Micros): Span {
    const known = this.#spans.get(at);
    if (known !== undefined) return known;
    const [first, last] = bucketsOf(this.window, at, this.zone);
    const span = { first, last };
    this.#spans.set(at, span);
    return span;
  }
}

/** The first and the last bucket of a window. */
interface Span {
  readonly first: Bucket;
  readonly last: Bucket;
}

function loadBuckets(formula: Formula, window: Window, loads: LoadPlan): FamilyRows[] {
  const { name: bucket, type } = bucketColumn[window.unit];
  const [first] = bucketsOf(window, loads.at, loads.zone);
  const byFamily = Map.groupBy(new Set(columnsOf(formula)), (column) => placeOf(column).family);
  return [...byFamily].map(([family, columns]) => {
    const buckets = bucketsOfFamily(family);
    const names = columns.map((column) => placeOf(column).name);
    const loaded = loads.rows(buckets[window.unit], [bucket]);
    for (const name of names) loaded.columns.set(name, buckets.sum(name));
    // The first bucket's rows are needed, too, so `after` is the bucket before it.
    const before = typeof first === 'number' ? first - 1 : plusDays(first, -1);
    readSince(loaded, { column: bucket, type, after: bucketText(before) });
    return { family, loaded, columns: names.map((name) => ({ name, joined: buckets.joined(name) })) };
  });
}

/** A period in which no bucket enters or leaves the window. It does not include `until`. */
interface Stretch {
  readonly from: Micros;
  readonly until: Micros;
  readonly value: Value;
}

/**
 * The value of one player over a window. It is computed once for each stretch in which no bucket enters or leaves, because many
 * rules ask for it at the same few moments.
 */
class WindowValue implements TimedValue {
  readonly #plan: WindowPlan;
  readonly #rows: PlayerRows;
  readonly #known: Stretch[] = [];
  #loadedBuckets: readonly Bucket[] | undefined;

  constructor(plan: WindowPlan, rows: PlayerRows) {
    this.#plan = plan;
    this.#rows = rows;
  }

  value(at: Micros): Value {
    return this.#at(at).value;
  }

  changesAfter(at: Micros): Micros | undefined {
    const { until } = this.#at(at);
    return until === Number.POSITIVE_INFINITY ? undefined : until;
  }

  #at(at: Micros): Stretch {
    for (const known of this.#known) if (known.from <= at && at < known.until) return known;
    const { formula, window, zone, families } = this.#plan;
    const span = this.#plan.spanAt(at);
    const measures = new Map(families.map((own) => [own.family, added(this.#rows.rows(own.loaded), own, span)]));
    const value = evaluateFormula(formula, (family) => measures.get(family) ?? nothing);
    const until = nextMove(window, this.#buckets(), { at, zone }) ?? Number.POSITIVE_INFINITY;
    const stretch = { from: at, until, value };
    this.#known.push(stretch);
    return stretch;
  }

  #buckets(): readonly Bucket[] {
    this.#loadedBuckets ??= this.#plan.families.flatMap(({ loaded }) => this.#rows.rows(loaded).map(bucketIn));
    return this.#loadedBuckets;
  }
}

function bucketIn(row: Row): Bucket {
  return (row.day ?? row.hour) as Bucket;
}

/** The totals of a window: the rows whose bucket is in its span. */
function added(rows: readonly Row[], { columns }: FamilyRows, { first, last }: Span): Measures {
  const sums: Record<string, string> = {};
  const biggest: Record<string, string | null> = {};
  const inside = rows.filter((row) => {
    const bucket = bucketIn(row);
    return bucket >= first && bucket <= last;
  });
  for (const { name, joined } of columns) {
    if (joined === 'sum') sums[name] = sumOf(inside, name);
    else biggest[name] = (joined === 'most' ? most(inside, name) : latest(inside, name))?.toFixed() ?? null;
  }
  return { ...nothing, sums, biggest };
}

/** Whole numbers, such as counts, are added up as numbers: a Big for each costs ten times as much. */
function sumOf(rows: readonly Row[], column: string): string {
  let sum = 0;
  for (const row of rows) {
    const value = row[column];
    if (!isSet(value)) continue;
    sum += Number(value);
    const isWhole = typeof value === 'number' ? Number.isInteger(value) : wholeNumber.test(String(value));
    if (!isWhole || !Number.isSafeInteger(sum)) return exactSumOf(rows, column);
  }
  return String(sum);
}

function exactSumOf(rows: readonly Row[], column: string): string {
  const held = rows.map((row) => row[column]).filter(isSet);
  return held.reduce<Big>((all, one) => all.plus(String(one)), new Big(0)).toFixed();
}

function most(rows: readonly Row[], column: string): Big | null {
  const held = rows.map((row) => row[column]).filter(isSet);
  return held
    .map((value) => new Big(String(value)))
    .reduce<Big | null>((known, one) => (known?.gte(one) ? known : one), null);
}

function latest(rows: readonly Row[], column: string): Big | null {
  const row = rows
    .filter((one) => isSet(one[column]))
    .reduce<Row | undefined>((known, one) => (known && bucketIn(known) > bucketIn(one) ? known : one), undefined);
  return row === undefined ? null : new Big(String(row[column]));
}

function isSet(value: Value | undefined): value is NonNullable<Value> {
  return value !== null && value !== undefined;
}
