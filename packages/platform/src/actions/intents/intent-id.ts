import { randomBytes } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import { bucketOfId } from '../../ledger/index.ts';

/**
 * Creates a UUID of version 7: 48 bits of milliseconds, 68 random bits, and the player's bucket in the last 6
 * (docs/decisions/1203). Because ids begin with the time, intents created together are next to each other in the primary key.
 * With version 4, ten million intents would each touch a different page.
 */
export function newIntentId(at: Micros, playerId: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Math.max(0, Math.floor(at / 1_000)), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  bytes.writeUInt8((bytes.readUInt8(15) & 0xc0) | bucketOfId(playerId), 15);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
