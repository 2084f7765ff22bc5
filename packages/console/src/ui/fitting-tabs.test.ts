import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fittingTabs } from './fitting-tabs.ts';

const widths = { tabs: [100, 50, 80, 120, 60], more: 40 };

test.each([
  ['all fit, without a menu', 410, 0, [0, 1, 2, 3, 4]],
  ['the menu needs room, too', 409, 0, [0, 1, 2, 3]],
  ['the active tab is on the line', 300, 2, [0, 1, 2]],
  ['the active tab is beyond the end', 300, 4, [0, 1, 4]],
  ['only the active tab fits', 100, 3, [3]],
])('%s', (_name, room, active, expected) => {
  expect(fittingTabs(widths, room, active)).toEqual(expected);
});

test('the active tab is always shown, and further tabs are shown only if they fit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 15 }),
      fc.integer({ min: 0, max: 2_000 }),
      fc.nat(),
      (tabs, room, any) => {
        const active = any % tabs.length;
        const shown = fittingTabs({ tabs, more: 50 }, room, active);
        const menu = shown.length < tabs.length ? 50 : 0;
        expect(shown).toContain(active);
        expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b));
        if (shown.length > 1) {
          expect(shown.reduce((sum, place) => sum + (tabs[place] ?? 0), menu)).toBeLessThanOrEqual(room);
        }
      },
    ),
  );
});
