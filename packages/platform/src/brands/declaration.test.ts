import { expect, test } from 'vitest';
import { readDeclaration } from './index.ts';

const pathsOf = (declaration: object, path: string) => {
  const reading = readDeclaration({ code: 'demo', name: 'Demo', ...declaration }, path);
  return reading.ok ? [] : reading.errors.map((error) => error.path);
};
const misspelled = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`setting_${index}`, true]));

test('all of 30 errors are reported', () => {
  expect(pathsOf(misspelled, 'brand').sort()).toEqual(
    Object.keys(misspelled)
      .map((name) => `brand.${name}`)
      .sort(),
  );
});

// The console reads a change with an empty path.
test.each(['brand', ''])(
  'an invalid cap is reported, however many errors come before it, below the path "%s"',
  (path) => {
    const place = path === '' ? 'frequency_caps[0]' : `${path}.frequency_caps[0]`;
    const caps = { frequency_caps: [{ channel: 'sms' }] };
    expect(pathsOf(caps, path)).toEqual([`${place}.times`, `${place}.within`]);
    expect(pathsOf({ ...misspelled, ...caps }, path)).toEqual(
      expect.arrayContaining([`${place}.times`, `${place}.within`]),
    );
  },
);

test('an invalid cap is reported once, even if the errors before it reach the limit of the list', () => {
  const names = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`setting_${index}`, true]));
  expect(
    pathsOf({ ...names, frequency_caps: [{ channel: 'sms' }], segmentation_traits: { vip: {} } }, 'brand').length,
  ).toBe(1_000);
});
