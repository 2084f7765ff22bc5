import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type PlainRow,
  plainTables,
  realPart,
  type Step,
  start,
  steps,
  type ToyPart,
} from '../../../testing/derive/totals/plain.ts';
import { type Delta, deltasOf, outdone } from './deltas.ts';
import { hourOf, type Part } from './spec.ts';

/*
 * Compares the deltas of random changes, added to rows in memory, with the rows computed from the final parts. Extremes are read again only
 * if `outdone` returns them and the row contains that value. The test proves that this is sufficient.
 */

test('deltas lead to the rows of the parts in force', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 4 }), (history, size) => {
      const tables = { total: new Map<string, PlainRow>(), day: new Map(), hour: new Map(), brand: new Map() };
      const held = new Map<number, readonly ToyPart[]>();
      for (let from = 0; from < history.length; from += size) {
        const batch = lastOfEachFact(history.slice(from, from + size));
        const changes = batch.map(({ fact, parts }) => ({
          brand_id: 1,
          before: (held.get(fact) ?? []).map(realPart),
          after: parts.map(realPart),
        }));
        for (const { fact, parts } of batch) held.set(fact, parts);
        const inForce = [...held.values()].flat().map(realPart);
        const deltas = deltasOf(changes, start, ['vendor_id']);
        for (const name of ['total', 'day', 'hour'] as const) {
          for (const delta of deltas[name]) applyTo(tables[name], delta, inForce);
        }
        for (const { day, counts, sums } of deltas.brand) {
          const row = tables.brand.get(day) ?? { count: 0, sum: 0 };
          row.count += counts.get('toy_count') ?? 0;
          row.sum += Number(sums.get('toy_sum') ?? 0);
          if (row.count === 0 && row.sum === 0) tables.brand.delete(day);
          else tables.brand.set(day, row);
        }
      }
      const plain = plainTables(history);
      expect(tables.total).toEqual(plain.total);
      expect(tables.day).toEqual(plain.day);
      expect(tables.hour).toEqual(plain.hour);
      expect(tables.brand).toEqual(new Map([...plain.brand].map(([day, { count, sum }]) => [day, { count, sum }])));
    }),
    { numRuns: 2_000 },
  );
});

function lastOfEachFact(batch: readonly Step[]): Step[] {
  return [...new Map(batch.map((step) => [step.fact, step])).values()];
}

/** Does to one row what the statements of table.ts do. In this test, every table has dates. */
function applyTo(rows: Map<string, PlainRow>, delta: Delta, inForce: readonly Part[]): void {
  const key = [delta.player_id, ...(delta.period === null ? [] : [delta.period]), ...delta.by].join(' ');
  const row = rows.get(key) ?? { count: 0, sum: 0, biggest: null, first: null, last: null };
  const came = {
    biggest: delta.biggest.get('toy_biggest'),
    first: delta.first.get('toy'),
    last: delta.last.get('toy'),
  };
  row.count += delta.counts.get('toy_count') ?? 0;
  row.sum += Number(delta.sums.get('toy_sum') ?? 0);
  if (came.biggest !== undefined) row.biggest = Math.max(row.biggest ?? 0, Number(came.biggest));
  if (came.first !== undefined) row.first = Math.min(row.first ?? came.first, came.first);
  if (came.last !== undefined) row.last = Math.max(row.last ?? came.last, came.last);
  rows.set(key, row);
  if (row.count === 0 && row.sum === 0) {
    rows.delete(key);
    return;
  }
  const left = outdone(delta);
  const own = inForce.filter(
    (part) => isOfRow(part, delta) && (part.counts.toy_count !== 0 || part.sums?.toy_sum !== '0'),
  );
  if (left.biggest.get('toy_biggest')?.eq(row.biggest ?? -1)) {
    const values = own.flatMap((part) => Number(part.biggest?.toy_biggest ?? []));
    row.biggest = largest(values.filter((value) => value > 0));
  }
  const dates = own.filter((part) => part.dated !== undefined).map(({ at }) => at);
  if (left.first.get('toy') === row.first) row.first = dates.length === 0 ? null : Math.min(...dates);
  if (left.last.get('toy') === row.last) row.last = largest(dates);
}

function isOfRow(part: Part, { player_id, period, by }: Delta): boolean {
  if (part.player_id !== player_id) return false;
  if (typeof period === 'number') return hourOf(part.at) === period;
  return (period === null || part.day === period) && by.every((value) => part.by?.vendor_id === value);
}

function largest(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}
