import { parseBody, readEvent } from '@croupier/contracts';
import { expect, test } from 'vitest';
import { noon } from '../../../testing/clock.ts';
import { bodyOf, digestOf, problemOfData } from './tracked-event.ts';

const context = { now: noon, zoneless_timestamps: 'UTC', base_currency: 'EUR' };

test('the body is a site event of the caller, whatever its data contains', () => {
  const forged = { user_id: 'ben', notification_type: 'payment', origin: 'www.example.com', timestamp: '2020-01-01' };
  const body = bodyOf(
    { event_id: 'e-1234567', name: 'spun', data: { ...forged, big: '123456789012345678901' } },
    'anna',
    noon,
  );
  const parsed = parseBody(body.toString());
  expect(parsed.ok && readEvent('site_event', parsed.body, context)).toMatchObject({
    ok: true,
    event: {
      kind: 'site_event',
      user_id: 'anna',
      name: 'spun',
      event_id: 'e-1234567',
      timestamp: noon,
      data: { ...forged, big: '123456789012345678901' },
    },
  });
});

test.each([
  [{}, null],
  [{ a: { b: { c: { d: 1 } } } }, null],
  [{ a: [[[[[1]]]]] }, /5 levels/],
  [{ a: { b: { c: { d: { e: {} } } } } }, /5 levels/],
  [{ text: 'x'.repeat(8_180) }, null],
  [{ text: 'x'.repeat(8_182) }, /8193 bytes/],
  [{ text: 'ä'.repeat(4_096) }, /bytes/],
  [[], /object/],
] as const)('data %#: %o', (data, problem) => {
  const found = problemOfData(data as Record<string, unknown>);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
});

test('the digest distinguishes a repeated call from another one, and ignores the order of keys', () => {
  const digest = (name: string, data: Record<string, unknown>) =>
    digestOf({ event_id: 'e', name, data }).toString('hex');
  expect(digest('a', { x: 1, y: 2 })).toBe(digest('a', { y: 2, x: 1 }));
  expect(new Set([digest('a', {}), digest('b', {}), digest('a', { x: 1 })]).size).toBe(3);
});
