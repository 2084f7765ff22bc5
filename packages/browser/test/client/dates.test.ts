import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shownTime, startOfDay } from '../../src/page/ui/message/dates.ts';

const now = Date.parse('2026-03-02T12:00:00Z');

const inLanguage = (lang: string) => vi.stubGlobal('document', { documentElement: { lang } });
beforeEach(() => void inLanguage('en'));
afterEach(() => void vi.unstubAllGlobals());

test.each([
  ['2026-03-02 12:00:00', 'now'],
  ['2026-03-02 11:55:01', '4 minutes ago'],
  ['2026-03-02 11:00:00', '1 hour ago'],
  ['2026-03-01 12:00:00', 'yesterday'],
  ['2026-03-01 11:00:00', 'yesterday'],
  ['2026-02-28 20:00:00', '2 days ago'],
  ['2026-02-24 12:00:00', '6 days ago'],
  ['2026-02-23 12:00:00', 'Feb 23'],
  ['2025-11-23 12:00:00', 'Nov 23, 2025'],
  ['2026-03-02 12:00:30', 'now'],
  ['2026-03-02 14:59:00', '2:59 PM'],
  ['2026-03-03 05:00:00', 'tomorrow'],
  ['2026-03-03 12:00:00', 'tomorrow'],
  ['2026-03-04 11:00:00', 'Mar 4'],
  ['2026-03-09 12:00:00', 'Mar 9'],
])('%s is shown as %s', (time, near) => {
  // Some versions of the language data have another space before PM.
  expect(shownTime(time, now)?.near.replace(/\s/g, ' ')).toBe(near);
});

test('a day begins at midnight in the zone of the player, also if the clocks changed', () => {
  const day = (text: string) => new Date(`${text}T00:00:00`).getTime();
  const at = new Date('2026-03-30T00:30:00').getTime();
  expect([0, 1, 2].map((daysAgo) => startOfDay(daysAgo, at))).toEqual(
    ['2026-03-30', '2026-03-29', '2026-03-28'].map(day),
  );
});

test('the exact time is shown beside it; with an invalid language the browser chooses', () => {
  expect(shownTime('2026-03-02 11:55:00', now)?.exact).toMatch(/^Mar 2, 2026, \d+:55\s[AP]M \S+$/);
  inLanguage('de');
  expect(shownTime('2026-03-02 11:55:00', now)?.near).toBe('vor 5 Minuten');
  inLanguage('en_GB!');
  expect(shownTime('2026-03-02 11:55:00', now)?.near).toMatch(/\d/);
});

test.each(['9999-12-31 23:59:59', 'soon', ''])('%j is not shown as a time', (time) => {
  expect(shownTime(time, now)).toBeUndefined();
});
