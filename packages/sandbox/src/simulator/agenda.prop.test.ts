import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAgenda } from './agenda.ts';

test('entries are returned by time, and entries of equal time in the order of insertion', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 })), (times) => {
      const agenda = createAgenda<number>();
      times.forEach((at, place) => {
        agenda.add(at, place);
      });
      const out = times.map(() => agenda.take()?.item);
      const sorted = times.map((at, place) => ({ at, place })).sort((a, b) => a.at - b.at || a.place - b.place);
      expect(out).toEqual(sorted.map(({ place }) => place));
      expect(agenda.take()).toBeUndefined();
      expect(agenda.nextAt()).toBe(Number.POSITIVE_INFINITY);
    }),
  );
});
