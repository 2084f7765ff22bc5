import type { ConsentType } from '@croupier/contracts';
import { NumberReader, writeNumber } from './bytes.ts';
import { channelCodes, channelOfCode } from './channel-codes.ts';
import { Signer } from './signer.ts';

/**
 * Unsubscribe links in messages.
 *
 *   full    <public url>/unsubscribe/<28 characters>    e-mail, post and the others
 *   short   <public url>/u/<20 characters>              SMS, where every character costs money
 *
 * Both contain the player and the channel of the message, and are signed: `head | brand_id | player_id | tag`. head is 16 *
 * version + the channel's code; the tag has 128 bits, or 80 in the short form. The lengths are those for a million players.
 * Nothing is stored for a link, and it contains no personal data: player_id has a meaning only in this database.
 *
 * A link never expires (docs/reference/design.md 7): a player may unsubscribe with the oldest mail in the mailbox. The link has no other
 * use, so a person with a forwarded link can only withdraw consents. (docs/decisions/1050)
 */
export interface LinkHolder {
  brand_id: number;
  player_id: number;
  /** The channel of the message that contains the link. */
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
   * @param publicUrl without a trailing slash
   * @param secrets CROUPIER_SECRET, followed by earlier secrets whose links still work
   */
  constructor(options: { publicUrl: string; secrets: readonly [string, ...string[]] }) {
    const { publicUrl, secrets } = options;
    this.#publicUrl = publicUrl;
    this.#signers = {
      full: new Signer({ secrets, purpose: 'unsubscribe link', tagBytes: 16 }),
      short: new Signer({ secrets, purpose: 'short unsubscribe link', tagBytes: 10 }),
    };
  }

  /** The address for a message. It is always the same for the same player and channel. */
  link(holder: LinkHolder, form: LinkForm = holder.channel === 'SMS' ? 'short' : 'full'): string {
    const payload = [version * 16 + channelCodes[holder.channel]];
    writeNumber(payload, holder.brand_id);
    writeNumber(payload, holder.player_id);
    return `${this.#publicUrl}${linkPaths[form]}/${this.#signers[form].sign(Buffer.from(payload))}`;
  }

  /** Null if the platform did not create the token: forged, cut off, of the other form, or signed with an unknown secret. */
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
