import fc from 'fast-check';
import type { Part } from '../../../src/derive/totals/spec.ts';

/*
 * A simple implementation of totals, for tests. It computes them from the parts in force at the end, and shares no code with
 * the incremental implementation. The facts are a simple family: one count, one sum (whole numbers), one biggest, one date,
 * split by vendor_id (README.md has its tables).
 */

export interface ToyPart {
  /** 1 to 3. */
  player: number;
  /** Hours after the first one; a day has 24 here. */
  hour: number;
  minute: number;
  vendor: string;
  count: number;
  sum: number;
  biggest?: number;
}

/** The parts of a fact from this step on. */
export interface Step {
  fact: number;
  parts: readonly ToyPart[];
}

export const start = Date.UTC(2026, 3, 29) * 1000;
const minute = 60_000_000;

const part: fc.Arbitrary<ToyPart> = fc.record({
  player: fc.integer({ min: 1, max: 3 }),
  hour: fc.constantFrom(1, 2, 23, 24, 25),
  minute: fc.constantFrom(0, 0, 59),
  vendor: fc.constantFrom('v', 'w'),
  count: fc.constantFrom(0, 1, 1, 1, 2),
  sum: fc.constantFrom(0, 5, 5, 10, 20),
  biggest: fc.option(fc.constantFrom(5, 10, 20), { nil: undefined }),
});

/** Few facts that change repeatedly, often back to earlier parts. Equal parts occur twice; parts grow, move and are removed. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ fact: fc.integer({ min: 0, max: 4 }), parts: fc.array(part, { maxLength: 4 }) }),
  { minLength: 1, maxLength: 12 },
);

export function realPart({ player, hour, minute: minutes, vendor, count, sum, biggest }: ToyPart): Part {
  return {
    player_id: player,
    at: start + hour * 60 * minute + minutes * minute,
    day: dayOf(hour),
    by: { vendor_id: vendor },
    counts: { toy_count: count },
    sums: { toy_sum: String(sum) },
    ...(biggest !== undefined && { biggest: { toy_biggest: String(biggest) } }),
    ...(count > 0 && { dated: ['toy'] }),
  };
}

function dayOf(hour: number): string {
  return hour < 24 ? '2026-04-29' : '2026-04-30';
}

export interface PlainRow {
  count: number;
  sum: number;
  biggest: number | null;
  first: number | null;
  last: number | null;
}

export interface PlainTables {
  /** Keyed by 'player vendor'. */
  total: Map<string, PlainRow>;
  /** Keyed by 'player day vendor'. */
  day: Map<string, PlainRow>;
  /** Keyed by 'player hour', with the hour in Micros. */
  hour: Map<string, PlainRow>;
  /** Keyed by day. */
  brand: Map<string, { players: number; count: number; sum: number }>;
}

/** The four tables, from the last parts of each fact. */
export function plainTables(history: readonly Step[]): PlainTables {
  const last = new Map(history.map(({ fact, parts }) => [fact, parts]));
  const parts = [...last.values()].flat().filter(({ count, sum }) => count > 0 || sum > 0);
  const rows = (keyOf: (part: ToyPart) => string) =>
    new Map([...Map.groupBy(parts, keyOf)].map(([key, own]) => [key, plainRow(own)]));
  return {
    total: rows(({ player, vendor }) => `${player} ${vendor}`),
    day: rows(({ player, hour, vendor }) => `${player} ${dayOf(hour)} ${vendor}`),
    hour: rows(({ player, hour }) => `${player} ${start + hour * 60 * minute}`),
    brand: new Map(
      [...Map.groupBy(parts, ({ hour }) => dayOf(hour))].map(([day, own]) => {
        const { count, sum } = plainRow(own);
        return [day, { players: new Set(own.map(({ player }) => player)).size, count, sum }];
      }),
    ),
  };
}

function plainRow(parts: readonly ToyPart[]): PlainRow {
  const biggest = parts.flatMap((own) => own.biggest ?? []);
  const dates = parts.filter((own) => own.count > 0).map((own) => realPart(own).at);
  return {
    count: parts.reduce((sum, own) => sum + own.count, 0),
    sum: parts.reduce((sum, own) => sum + own.sum, 0),
    biggest: biggest.length === 0 ? null : Math.max(...biggest),
    first: dates.length === 0 ? null : Math.min(...dates),
    last: dates.length === 0 ? null : Math.max(...dates),
  };
}
