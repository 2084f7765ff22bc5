import { expect, test } from 'vitest';
import { bucketOfId } from '../../ledger/index.ts';
import { newIntentId } from './intent-id.ts';

const at = Date.UTC(2026, 4, 1) * 1_000;

test('an intent id is a UUID of version 7 whose last 6 bits are the bucket of its player', () => {
  for (let n = 0; n < 200; n++) {
    const playerId = 1_000 * 64 + n;
    const id = newIntentId(at, playerId);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.slice(-2), 16) % 64).toBe(bucketOfId(playerId));
  }
  expect(new Set(Array.from({ length: 1_000 }, () => newIntentId(at, 5))).size).toBe(1_000);
});
