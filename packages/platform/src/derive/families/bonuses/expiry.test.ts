import { expect, test } from 'vitest';
import { expiryOf } from './expiry.ts';

const at = (text: string) => Date.parse(text) * 1000;

test.each<[meta: Record<string, unknown> | undefined, expected: number | undefined]>([
  [{ expires_at: '2026-05-01T10:00:00Z' }, at('2026-05-01T10:00:00Z')],
  [{ expires_at: '2026-05-01T10:00:00+02:00' }, at('2026-05-01T08:00:00Z')],
  // Without an offset, the time is local to Malta.
  [{ valid_until: '2026-05-01 10:00:00' }, at('2026-05-01T08:00:00Z')],
  // A date means the end of that day.
  [{ expiry_date: ' 2026-05-01 ' }, at('2026-05-01T22:00:00Z') - 1],
  [{ expires_at: 'soon', expires: '2026-05-01T10:00:00Z' }, at('2026-05-01T10:00:00Z')],
  [{ expires_at: '0001-01-01T00:00:00Z' }, undefined],
  [{ expires_at: '2026-02-30' }, undefined],
  [{ expires_at: 1_777_000_000 }, undefined],
  [{ other: '2026-05-01T10:00:00Z' }, undefined],
  [{}, undefined],
  [undefined, undefined],
])('%j: %j', (meta, expected) => {
  expect(expiryOf(meta, 'Europe/Malta')).toBe(expected);
});
