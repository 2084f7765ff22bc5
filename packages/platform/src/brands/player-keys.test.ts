import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlayerKeys } from './player-keys.ts';

test('a key equals the HMAC of node:crypto', () => {
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const players = fc.array(fc.tuple(fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })), { minLength: 1 });
  fc.assert(
    fc.property(key, players, (bytes, list) => {
      const keys = new PlayerKeys(Buffer.from(bytes));
      for (const [brandId, playerHash] of list) {
        const message = Buffer.alloc(12);
        message.writeUInt32BE(brandId);
        message.writeBigUInt64BE(playerHash, 4);
        expect(keys.keyOf(brandId, playerHash)).toBe(createHmac('sha256', bytes).update(message).digest('base64'));
      }
    }),
  );
});
