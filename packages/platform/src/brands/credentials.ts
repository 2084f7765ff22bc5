import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { WordedError } from '../language.ts';
import { PlayerKeys } from './player-keys.ts';

/*
 * Encrypted storage of operator credentials: AES-256-GCM with a key derived from CROUPIER_SECRET.
 *
 *   version u8 = 1 | iv 12 bytes | tag 16 bytes | ciphertext
 *
 * The brand's code is authenticated together with the credentials. So a person who can write to the table cannot use
 * the credentials of one operator for the address of another.
 */
const version = 1;
const ivBytes = 12;
const tagBytes = 16;

export class Vault {
  /** The first key encrypts; all of them decrypt. */
  readonly #keys: readonly Buffer[];
  readonly #erased: PlayerKeys;
  readonly #addresses: Buffer;

  /**
   * @param secret CROUPIER_SECRET: encrypts
   * @param previous CROUPIER_PREVIOUS_SECRETS, the newest first. They can still decrypt what they encrypted. Stored hashes
   *   cannot be computed again with a new key, because their input is unknown. So all hashes, including new ones, are
   *   computed with the oldest secret
   */
  constructor(secret: string, previous: readonly string[] = []) {
    const derive = (from: string, purpose: string) => Buffer.from(hkdfSync('sha256', from, '', purpose, 32));
    const oldest = previous.at(-1) ?? secret;
    this.#keys = [secret, ...previous].map((one) => derive(one, 'croupier brand credentials'));
    this.#erased = new PlayerKeys(derive(oldest, 'croupier erased players'));
    this.#addresses = derive(oldest, 'croupier suppressed addresses');
  }

  /**
   * Returns the hash that the platform stores about an erased player: 32 bytes as base64. Without the secret, a user_id
   * cannot be compared with it.
   *
   * @param playerHash the player's number in the ledger, which is computed from the user_id
   */
  erasureKey(brandId: number, playerHash: bigint): string {
    return this.#erased.keyOf(brandId, playerHash);
  }

  /**
   * Returns the key of an address in the list of suppressed addresses: 32 bytes. Without the secret, an address cannot be
   * compared with it. Letter case and surrounding spaces are ignored.
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

  /** @throws {Unreadable} if it was encrypted with another secret, for another brand, or was changed */
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
        // It was encrypted with another one of the secrets, or with none of them.
      }
    }
    throw new Unreadable(brandCode);
  }
}

export class Unreadable extends WordedError {
  override name = 'Unreadable';
  constructor(brandCode: string) {
    super({
      en:
        `the operator credentials of brand ${brandCode} cannot be decrypted: add the secret with which they were stored to CROUPIER_PREVIOUS_SECRETS, ` +
        'or enter the credentials again',
      de:
        `Die Zugangsdaten des Betreibers der Marke ${brandCode} können nicht entschlüsselt werden: Fügen Sie das Geheimnis, mit dem sie gespeichert wurden, ` +
        'CROUPIER_PREVIOUS_SECRETS hinzu, oder geben Sie die Zugangsdaten erneut ein',
    });
  }
}
