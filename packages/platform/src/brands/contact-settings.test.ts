import { expect, test } from 'vitest';
import { readDeclaration } from './index.ts';

const read = (settings: Record<string, unknown>) =>
  readDeclaration({ code: 'demo', name: 'Demo', ...settings }, 'brand');
const pathsOf = (settings: Record<string, unknown>) => {
  const reading = read(settings);
  return reading.ok ? [] : reading.errors.map(({ path }) => path);
};

test('by default, there are no quiet hours, caps or control group', () => {
  const reading = read({});
  expect(reading.ok && reading.declaration.settings).toMatchObject({
    quiet_hours: { from: '', to: '' },
    frequency_caps: [],
    holdout: { percent: 0 },
    country_time_zones: {},
  });
});

test('valid rules are accepted', () => {
  const settings = {
    quiet_hours: { from: '22:00', to: '08:00' },
    frequency_caps: [
      { channel: 'sms', purpose: 'marketing', times: 2, within: 'P7D' },
      { channel: null, times: 5, within: 'P1D' },
    ],
    holdout: { percent: 2.5 },
    country_time_zones: { SE: 'Europe/Stockholm' },
  };
  const reading = read(settings);
  expect(reading.ok && reading.declaration.settings).toMatchObject(settings);
});

test.each([
  ['an invalid time of day', { quiet_hours: { from: '24:00', to: '08:00' } }, 'brand.quiet_hours.from'],
  ['a beginning without an end', { quiet_hours: { from: '22:00' } }, 'brand.quiet_hours'],
  ['a duration in words', { frequency_caps: [{ times: 1, within: 'a day' }] }, 'brand.frequency_caps[0].within'],
  ['a duration in seconds', { frequency_caps: [{ times: 1, within: 'PT30S' }] }, 'brand.frequency_caps[0].within'],
  ['a duration of 366 days', { frequency_caps: [{ times: 1, within: 'P366D' }] }, 'brand.frequency_caps[0].within'],
  [
    'an unknown channel',
    { frequency_caps: [{ channel: 'fax', times: 1, within: 'P1D' }] },
    'brand.frequency_caps[0].channel',
  ],
  ['no number', { frequency_caps: [{ within: 'P1D' }] }, 'brand.frequency_caps[0].times'],
  ['more than half of the players', { holdout: { percent: 60 } }, 'brand.holdout.percent'],
  ['an unknown zone', { country_time_zones: { SE: 'Stockholm' } }, 'brand.country_time_zones.SE'],
])('%s is refused', (_name, settings, path) => {
  expect(pathsOf(settings)).toContain(path);
});
