import type { ConsentType } from '@croupier/contracts';
import { NumberReader, writeNumber } from './bytes.ts';
import { channelCodes, channelOfCode } from './channel-codes.ts';
import { Signer } from './signer.ts';

/**
 * The links in messages by which a player leaves a channel.
 *
 *   full    <public url>/unsubscribe/<28 characters>    e-mail, post and the rest
 *   short   <public url>/u/<20 characters>              SMS, where every character is paid for
 *
 * Both say who, and which channel the message came by, and are signed: `head | brand_id | player_id | tag`. head is 16 *
 * version + the channel's code; the tag has 128 bits, or 80 in the short form. The lengths are those of a million
 * players. Nothing is stored for a link, and nothing in it is personal: player_id means something to this database only.
 *
 * A link never expires (docs/reference/design.md 7): a player may unsubscribe by the oldest mail of the mailbox. It can do nothing else, and whoever
 * holds a forwarded one can only take consents away. (docs/decisions/1050)
 */
export interface LinkHolder {
  brand_id: number;
  player_id: number;
  /** The channel of the message that the link stands in. */
  channel: ConsentType;
}

export const linkForms = ['full', 'short'] as const;
export type LinkForm = (typeof linkForms)[number];

export const linkPaths: Readonly<Record<LinkForm, string>> = { full: '/unsubscribe', short: '/u' };
export const hostedPaths: readonly string[] = Object.values(linkPaths);

const version = 1;

export class UnsubscribeLinks {
  readonly #publicUrl: string;
  readonly #signers: Readonly<Record<LinkForm, Signer>>;

  /**
   * @param publicUrl without a slash at its end.
   * @param secrets CROUPIER_SECRET, and then those of earlier, whose links still work.
   */
  constructor(options: { publicUrl: string; secrets: readonly [string, ...string[]] }) {
    const { publicUrl, secrets } = options;
    this.#publicUrl = publicUrl;
    this.#signers = {
      full: new Signer({ secrets, purpose: 'unsubscribe link', tagBytes: 16 }),
      short: new Signer({ secrets, purpose: 'short unsubscribe link', tagBytes: 10 }),
    };
  }

  /** The address to put into a message. The same holder always gets the same one. */
  link(holder: LinkHolder, form: LinkForm = holder.channel === 'SMS' ? 'short' : 'full'): string {
    const payload = [version * 16 + channelCodes[holder.channel]];
    writeNumber(payload, holder.brand_id);
    writeNumber(payload, holder.player_id);
    return `${this.#publicUrl}${linkPaths[form]}/${this.#signers[form].sign(Buffer.from(payload))}`;
  }

  /** Null for a token that we did not make: forged, cut off, of the other form, or signed by an unknown secret. */
  read(form: LinkForm, token: string): LinkHolder | null {
    const payload = this.#signers[form].open(token);
    if (payload === null) return null;
    const head = payload[0] ?? 0;
    const channel = channelOfCode(head % 16);
    const numbers = new NumberReader(payload.subarray(1));
    const brand_id = numbers.next();
    const player_id = numbers.next();
    if (head >> 4 !== version || channel === undefined || brand_id === null || player_id === null) return null;
    return numbers.ended ? { brand_id, player_id, channel } : null;
  }
}
