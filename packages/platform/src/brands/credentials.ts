import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { PlayerKeys } from './player-keys.ts';

/*
 * Operator credentials at rest: AES-256-GCM with a key derived from CROUPIER_SECRET.
 *
 *   version u8 = 1 | iv 12 bytes | tag 16 bytes | ciphertext
 *
 * The brand's code is authenticated with them, so that nobody who can write to the table hands the credentials of one
 * operator to the address of another.
 */
const version = 1;
const ivBytes = 12;
const tagBytes = 16;

export class Vault {
  /** The first seals; all of them open. */
  readonly #keys: readonly Buffer[];
  readonly #erased: PlayerKeys;
  readonly #addresses: Buffer;

  /**
   * @param secret CROUPIER_SECRET: encrypts.
   * @param previous CROUPIER_PREVIOUS_SECRETS, the newest first: what they encrypted can be read. Stored hashes cannot be made again
   * with a new key, because nobody knows what they were made of: so the oldest secret makes all hashes, today's included.
   */
  constructor(secret: string, previous: readonly string[] = []) {
    const derive = (from: string, purpose: string) => Buffer.from(hkdfSync('sha256', from, '', purpose, 32));
    const oldest = previous.at(-1) ?? secret;
    this.#keys = [secret, ...previous].map((one) => derive(one, 'croupier brand credentials'));
    this.#erased = new PlayerKeys(derive(oldest, 'croupier erased players'));
    this.#addresses = derive(oldest, 'croupier suppressed addresses');
  }

  /**
   * What is kept of an erased player: nobody without the secret can try user_ids against it. 32 bytes as base64.
   *
   * @param playerHash the player's number in the ledger, which is made of the user_id
   */
  erasureKey(brandId: number, playerHash: bigint): string {
    return this.#erased.keyOf(brandId, playerHash);
  }

  /**
   * By what an address stands in a list of those that are not written to: nobody without the secret can try addresses against it.
   * 32 bytes. Letter case and blanks around it make no difference.
   */
  addressKey(brandId: number, address: string): Buffer {
    return createHmac('sha256', this.#addresses).update(`${brandId} ${address.trim().toLowerCase()}`).digest();
  }

  seal(brandCode: string, value: unknown): Buffer {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#keys[0] as Buffer, iv).setAAD(Buffer.from(brandCode));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), sealed]);
  }

  /** @throws {Unreadable} when it was sealed with another secret, for another brand, or was changed. */
  open(brandCode: string, sealed: Buffer): unknown {
    if (sealed[0] !== version || sealed.length < 1 + ivBytes + tagBytes) throw new Unreadable(brandCode);
    const iv = sealed.subarray(1, 1 + ivBytes);
    const tag = sealed.subarray(1 + ivBytes, 1 + ivBytes + tagBytes);
    for (const key of this.#keys) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
        decipher.setAAD(Buffer.from(brandCode)).setAuthTag(tag);
        const bytes = Buffer.concat([decipher.update(sealed.subarray(1 + ivBytes + tagBytes)), decipher.final()]);
        return JSON.parse(bytes.toString('utf8'));
      } catch {
        // Sealed with another one of the secrets, or with none of them.
      }
    }
    throw new Unreadable(brandCode);
  }
}

export class Unreadable extends Error {
  override name = 'Unreadable';
  constructor(brandCode: string) {
    super(
      `the operator credentials of brand ${brandCode} cannot be decrypted: name the secret they were stored with in CROUPIER_PREVIOUS_SECRETS, ` +
        'or enter the credentials again',
    );
  }
}
