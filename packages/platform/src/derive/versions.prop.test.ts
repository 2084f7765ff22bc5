import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addVersion, arrivalAmong, byPrecedence, maxVersions, type Version } from './versions.ts';

interface Priced extends Version {
  amount: number;
}
const isSameMoney = (a: Priced, b: Priced) => a.amount === b.amount;
const version = fc.record({
  timestamp: fc.integer({ min: 0, max: 5 }),
  fingerprint: fc.constantFrom('a', 'b', 'c', 'd'),
  amount: fc.integer({ min: 0, max: 40 }),
});

test('the stored versions of a key are a function of the set of its versions', () => {
  fc.assert(
    fc.property(
      fc
        .array(version, { minLength: 1, maxLength: 80 })
        .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        const earliest = [...Map.groupBy(all, ({ amount }) => amount).values()].map(
          (rivals) => [...rivals].sort(byPrecedence)[0] as Priced,
        );
        // Two bodies with the same fingerprint are equal.
        const distinct = new Set(earliest.map(({ timestamp, fingerprint }) => `${timestamp}${fingerprint}`));
        fc.pre(distinct.size === earliest.length);
        const retained = shuffled.reduce<readonly Priced[]>((held, one) => addVersion(held, one, isSameMoney), []);
        expect(retained).toEqual(earliest.sort(byPrecedence).slice(0, maxVersions));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('an event is new, a repeat or a conflict within its key', () => {
  const held = [{ timestamp: 1, fingerprint: 'a', amount: 10 }];
  expect(arrivalAmong<Priced>([], { timestamp: 1, fingerprint: 'a', amount: 10 }, isSameMoney)).toBe('new');
  expect(arrivalAmong(held, { timestamp: 9, fingerprint: 'b', amount: 10 }, isSameMoney)).toBe('repeat');
  expect(arrivalAmong(held, { timestamp: 0, fingerprint: 'b', amount: 9 }, isSameMoney)).toBe('conflict');
  const same = held as readonly Priced[];
  expect(addVersion(same, { timestamp: 9, fingerprint: 'b', amount: 10 }, isSameMoney)).toBe(same);
});
