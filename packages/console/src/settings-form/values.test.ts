import { expect, test } from 'vitest';
import { areSameValues, changedValues, valueAt, withValue } from './values.ts';

const settings = { quarantine_days: 90, push: { enabled: true, contact: '' }, media: { most_files: 3 } };

test('settings are read and written by their path, and changes are reported as whole settings', () => {
  expect([valueAt(settings, 'push.enabled'), valueAt(settings, 'quarantine_days.x'), valueAt(settings, 'no')]).toEqual([
    true,
    undefined,
    undefined,
  ]);
  const changed = withValue(withValue(settings, 'push.contact', 'me@x.example'), 'dkim.domain', 'x');
  expect(changedValues(settings, changed)).toEqual({
    push: { enabled: true, contact: 'me@x.example' },
    dkim: { domain: 'x' },
  });
  expect(withValue(settings, 'media', undefined)).toEqual({ quarantine_days: 90, push: settings.push });
  expect(changedValues(settings, { ...settings })).toEqual({});
  // A setting whose fields were changed back has no changes, although its fields have another order.
  const back = withValue(withValue(settings, 'push.enabled', false), 'push.enabled', true);
  expect(changedValues(settings, back)).toEqual({});
});

test('a form whose values were changed back has no changes', () => {
  const changed = withValue(withValue(settings, 'push.enabled', false), 'media.most_files', 4);
  expect(areSameValues(settings, changed)).toBe(false);
  // Setting a value moves it behind the others.
  const back = withValue(withValue(changed, 'push.enabled', true), 'media.most_files', 3);
  expect(areSameValues(settings, back)).toBe(true);
  expect(areSameValues(settings, withValue(settings, 'push.contact', undefined))).toBe(true);
  expect(areSameValues(settings, withValue(settings, 'media', undefined))).toBe(false);
  expect(areSameValues({ hosts: ['a', 'b'] }, { hosts: ['b', 'a'] })).toBe(false);
});
