import { hash } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;
const messageBytes = 4 + 8;

/**
 * HMAC-SHA-256 (RFC 2104) of a brand and a player's number in the ledger, in base64.
 *
 * It calls the one-shot hash twice, which takes 2 microseconds. createHmac takes 13, because it creates two objects. The difference matters
 * because, for 30 days after an erasure, ingest computes this for every event of the erased players' buckets. The buffers are reused,
 * which is safe because nothing here is asynchronous.
 */
export class PlayerKeys {
  readonly #inner = Buffer.alloc(blockBytes + messageBytes, 0x36);
  readonly #outer = Buffer.alloc(blockBytes + digestBytes, 0x5c);

  /** @param key 32 bytes */
  constructor(key: Buffer) {
    for (const [i, byte] of key.entries()) {
      this.#inner[i] = byte ^ 0x36;
      this.#outer[i] = byte ^ 0x5c;
    }
  }

  keyOf(brandId: number, playerHash: bigint): string {
    this.#inner.writeUInt32BE(brandId, blockBytes);
    this.#inner.writeBigUInt64BE(playerHash, blockBytes + 4);
    hash('sha256', this.#inner, 'buffer').copy(this.#outer, blockBytes);
    return hash('sha256', this.#outer, 'base64');
  }
}
