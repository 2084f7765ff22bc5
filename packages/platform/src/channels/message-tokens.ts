import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type NamedLink, readShortCode, shortCodeKey, writeShortCode } from './short-codes.ts';

/*
 * Identifies a message by a token that cannot be forged: `<brand_id>-<message_id>-<tag>`. It uses only digits and lower case
 * letters, because mail servers may change the case of an address. Each purpose has its own key:
 *
 *   report   in the headers and the envelope sender of an e-mail: a bounce that contains it concerns this message
 *   open     in the address of the picture that reports that an e-mail was opened
 *   click    in the address of a link of an e-mail
 *
 * A link in an SMS has a code instead, because every character costs money (short-codes.ts).
 *
 * A token permits reports only, so it does not expire. It becomes invalid when its message is deleted.
 */
export type MessageTokenPurpose = 'report' | 'open' | 'click';

/** 80 bits: a tag can be guessed only by sending requests to the platform. */
const tagBytes = 10;

export interface NamedMessage {
  brand_id: number;
  message_id: number;
}

export class MessageTokens {
  readonly #secrets: readonly string[];
  readonly #codeKeys: readonly [Buffer, ...Buffer[]];

  /** @param secrets CROUPIER_SECRET, followed by earlier secrets whose tokens are still accepted */
  constructor({ secrets }: { secrets: readonly [string, ...string[]] }) {
    this.#secrets = secrets;
    const [current, ...earlier] = secrets;
    this.#codeKeys = [shortCodeKey(current), ...earlier.map(shortCodeKey)];
  }

  write(purpose: MessageTokenPurpose, { brand_id, message_id }: NamedMessage): string {
    const name = `${brand_id}-${message_id}`;
    return `${name}-${tagOf(this.#secrets[0] ?? '', purpose, name).toString('hex')}`;
  }

  /** Null if the platform did not create the token. */
  read(purpose: MessageTokenPurpose, token: string): NamedMessage | null {
    const [, brand, message, tag] = /^(\d{1,10})-(\d{1,15})-([0-9a-f]{20})$/.exec(token.toLowerCase()) ?? [];
    if (brand === undefined || message === undefined || tag === undefined) return null;
    const given = Buffer.from(tag, 'hex');
    const fits = this.#secrets.map((secret) => timingSafeEqual(tagOf(secret, purpose, `${brand}-${message}`), given));
    return fits.includes(true) ? { brand_id: Number(brand), message_id: Number(message) } : null;
  }

  /** The code of a link in an SMS. */
  writeCode(link: NamedLink): string {
    return writeShortCode(this.#codeKeys[0], link);
  }

  /** Null if the platform did not create the code. */
  readCode(code: string): NamedLink | null {
    for (const key of this.#codeKeys) {
      const link = readShortCode(key, code);
      if (link !== null) return link;
    }
    return null;
  }
}

function tagOf(secret: string, purpose: MessageTokenPurpose, name: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `croupier message ${purpose}`, 32));
  return createHmac('sha256', key).update(name).digest().subarray(0, tagBytes);
}
