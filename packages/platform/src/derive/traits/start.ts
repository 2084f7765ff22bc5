import { type DecimalText, dayOf, type Micros, readTimestampText } from '@croupier/contracts';
import Big from 'big.js';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { allTotals } from '../families/index.ts';
import { type Part, readWindow, type Totals, type Window } from '../totals/index.ts';
import { traitCatalog } from './catalog.ts';
import { columnsOf, placeOf } from './formula.ts';
import { readTraits } from './read.ts';
import type { Trait, TraitValue } from './trait.ts';

/*
 * Starting values of a player's traits, for scenarios (docs/decisions/1292). They are written as totals, as if they came from
 * facts, so that later events add to them and windows move with the clock:
 *
 *   value of the shortest window   all of it happened now
 *   value of a longer window       the part that exceeds the shorter window happened just before that window
 *   value without a window         the part that exceeds the longest window happened before all windows
 */

export interface StartError {
  /** The name of the trait, as given. */
  name: string;
  message: string;
}

export interface StartingPlayer {
  brand_id: number;
  player_id: number;
  time_zone: string;
}

const hour = 3_600_000_000;
const day = 24 * hour;
/** Longer than any window. */
const before = 400 * day;

type Sort = 'counts' | 'sums' | 'biggest' | 'dates';

/** One starting value that can be written: the value of a column of totals, for a window or for the lifetime. */
interface Start {
  name: string;
  totals: Totals;
  column: string;
  sort: Sort;
  /** Undefined for the lifetime. */
  window: Window | undefined;
  value: Big;
}

/** Writes starting values into totals of a player without facts. @returns errors; if there are any, the caller rolls back */
export async function startTraits(
  tx: ClientBase,
  player: StartingPlayer,
  given: Readonly<Record<string, unknown>>,
  now: Micros,
): Promise<StartError[]> {
  const errors: StartError[] = [];
  const starts: Start[] = [];
  for (const [name, value] of Object.entries(given)) {
    const start = readStart(name, value, now);
    if (typeof start === 'string') errors.push({ name, message: start });
    else starts.push(start);
  }
  if (errors.length > 0) return errors;
  await tx.query('set local search_path = live, public');
  for (const [totals, own] of Map.groupBy(starts, (start) => start.totals)) {
    const after = partsOf(own, player, now);
    if (typeof after === 'object' && 'name' in after) return [after];
    await totals.change(tx, [{ brand_id: player.brand_id, before: [], after }], { now, source: 0 });
    for (const { column, value } of own.filter(({ sort }) => sort === 'dates'))
      await tx.query(`update live.${totals.spec.family}_total set ${column} = $2 where player_id = $1`, [
        player.player_id,
        timestamptzText(value.toNumber()),
      ]);
  }
  return differences(tx, player, starts, now);
}

/** @returns why the value cannot be used */
function readStart(name: string, given: unknown, now: Micros): Start | string {
  const found = traitNamed(name);
  if (found === undefined) return `the trait ${name} does not exist`;
  const { trait, window } = found;
  if (trait.windows === 'lifetime' && window !== undefined) return `the trait ${trait.name} has no windows`;
  if (window?.before === true)
    return `a window before the current one cannot be set: set ${trait.name}_${2 * window.count}d and ${trait.name}_${window.count}d`;
  const { source } = trait;
  if (source.from !== 'totals') return `${trait.name} has no starting value: ${insteadOf(trait)}`;
  const columns = columnsOf(source.formula);
  const [only] = columns;
  if (only === undefined || columns.length !== 1 || 'ratio' in source.formula)
    return `${trait.name} has no starting value: it is computed from ${columns.map((one) => placeOf(one).name).join(', ')}; set these`;
  const { family, name: column } = placeOf(only);
  const totals = allTotals.find(({ spec }) => spec.family === family);
  if (totals === undefined) return `${trait.name} has no starting value: publish events in its place`;
  const { counts, sums } = totals.spec;
  const sort = counts.includes(column)
    ? 'counts'
    : sums.includes(column)
      ? 'sums'
      : 'biggest' in source.formula
        ? 'biggest'
        : 'dates';
  const value = readValue(sort, given, now);
  return typeof value === 'string' ? `${name} ${value}` : { name, totals, column, sort, window, value };
}

function insteadOf({ source }: Trait): string {
  switch (source.from) {
    case 'birth':
      return 'set profile.birth_date';
    case 'fact':
      return source.fact === 'registered_at' ? 'set profile.registration_date' : 'publish events in its place';
    case 'since':
      return source.moment.from === 'totals'
        ? `it counts days since ${columnsOf(source.moment.formula)
            .map((one) => placeOf(one).name)
            .join(', ')}; set these`
        : 'set profile.registration_date';
    default:
      return 'publish events in its place';
  }
}

function readValue(sort: Sort, given: unknown, now: Micros): Big | string {
  if (sort === 'dates') {
    const moment = typeof given === 'string' ? readTimestampText(given) : undefined;
    if (!moment?.zoned) return 'must be a date-time with an offset, such as 2026-05-01T12:00:00Z';
    return moment.micros <= now ? new Big(moment.micros) : 'must not be after the start of the scenario';
  }
  if (sort === 'counts')
    return Number.isInteger(given) && Number(given) >= 0 && Number(given) <= 1e9
      ? new Big(Number(given))
      : 'must be a whole number from 0';
  const text = typeof given === 'number' && given >= 0 ? String(given) : given;
  return typeof text === 'string' && /^\d{1,15}(\.\d{1,8})?$/.test(text)
    ? new Big(text)
    : 'must be an amount from 0, such as "25.50"';
}

const traits = new Map(traitCatalog.map((trait) => [trait.name, trait]));

function traitNamed(name: string): { trait: Trait; window: Window | undefined } | undefined {
  const whole = traits.get(name);
  if (whole !== undefined) return { trait: whole, window: undefined };
  const at = name.search(/_(?:prev_)?[^_]+$/);
  const trait = traits.get(name.slice(0, at));
  const window = readWindow(name.slice(at + 1));
  return trait === undefined || window === undefined ? undefined : { trait, window };
}

/** The parts that starting values of one family add. Returns an error if the value of a window is less than that of a shorter window. */
function partsOf(starts: readonly Start[], { player_id, time_zone }: StartingPlayer, now: Micros): Part[] | StartError {
  const parts = new Map<
    Micros,
    { counts: Record<string, number>; sums: Record<string, DecimalText>; biggest: Record<string, DecimalText> }
  >();
  const columns = Map.groupBy(
    starts.filter(({ sort }) => sort !== 'dates'),
    ({ column }) => column,
  );
  for (const own of columns.values()) {
    const sorted = own.toSorted((a, b) => lengthOf(a.window) - lengthOf(b.window));
    for (const [place, { name, window, value, sort, column }] of sorted.entries()) {
      const shorter = sorted[place - 1];
      if (shorter !== undefined && value.lt(shorter.value))
        return { name, message: `${name} must be at least ${shorter.name}, which it contains` };
      const at = window === undefined ? now - before : shorter === undefined ? now : now - lengthOf(shorter.window);
      const part = parts.get(at) ?? { counts: {}, sums: {}, biggest: {} };
      parts.set(at, part);
      const more = value.minus(shorter?.value ?? 0);
      if (sort === 'counts') part.counts[column] = more.toNumber();
      else if (sort === 'sums') part.sums[column] = more.toFixed();
      else part.biggest[column] = value.toFixed();
    }
  }
  return [...parts].map(([at, part]) => ({ player_id, at, day: dayOf(time_zone, at), ...part }));
}

function lengthOf(window: Window | undefined): Micros {
  if (window === undefined) return before;
  return window.count * (window.unit === 'hours' ? hour : day);
}

/** Returns the starting values that the player's traits do not have after writing, because they contradict or require other values. */
async function differences(
  tx: ClientBase,
  { player_id, time_zone }: StartingPlayer,
  starts: readonly Start[],
  now: Micros,
): Promise<StartError[]> {
  const windows = starts.flatMap(({ window }) => window ?? []);
  const readings = await readTraits(tx, { player_id, time_zone, registration_date: null }, now, windows);
  return starts.flatMap(({ name, value }) => {
    const actual = readings[name]?.value ?? null;
    if (isEqual(actual, value)) return [];
    const is = actual === null ? 'would have no value' : `would be ${String(actual)}`;
    return [{ name, message: `${name} ${is}: it requires or contradicts other starting values, such as the count` }];
  });
}

function isEqual(actual: TraitValue, value: Big): boolean {
  return (typeof actual === 'number' || typeof actual === 'string') && value.eq(actual);
}
