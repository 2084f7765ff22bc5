import type { ConsentType, Micros } from '@croupier/contracts';
import { NumberReader, writeNumber } from './bytes.ts';
import { channelsOfBits, channelsToBits } from './channel-codes.ts';
import { Signer } from './signer.ts';

/**
 * The result of one press of "stop". The signed receipt is in the address of the confirmation page and in its "undo" button. So
 * the confirmation needs no row, and can be shown while the database is unavailable.
 *
 * It belongs to one player and one change, and its undo restores no more than that change withdrew.
 */
export interface Receipt {
  brand_id: number;
  player_id: number;
  /** The change of consents that it refers to. */
  change_id: number;
  /** When the channels were stopped. */
  at: Micros;
  /** Channels that have been off since then. */
  stopped: ConsentType[];
  /** The channels in `stopped` that were on. An undo restores only these, so it never adds a consent that the player had not given. */
  restorable: ConsentType[];
}

/** How long a change can be undone, and its confirmation be shown: 1 hour. */
export const receiptMicros: Micros = 60 * 60 * 1_000_000;

const version = 1;

export class Receipts {
  readonly #signer: Signer;

  constructor(options: { secrets: readonly [string, ...string[]] }) {
    this.#signer = new Signer({ secrets: options.secrets, purpose: 'unsubscribe receipt', tagBytes: 16 });
  }

  write(receipt: Receipt): string {
    const payload = [version];
    for (const number of [receipt.brand_id, receipt.player_id, receipt.change_id, receipt.at])
      writeNumber(payload, number);
    payload.push(channelsToBits(receipt.stopped), channelsToBits(receipt.restorable));
    return this.#signer.sign(Buffer.from(payload));
  }

  /** Null if the platform did not sign it, or if it belongs to another player, or is too old. */
  read(text: string, holder: { brand_id: number; player_id: number }, now: Micros): Receipt | null {
    const payload = this.#signer.open(text);
    if (payload === null || payload[0] !== version) return null;
    const numbers = new NumberReader(payload.subarray(1));
    const [brand_id, player_id, change_id, at] = Array.from({ length: 4 }, () => numbers.next());
    const [stopped, restorable] = [numbers.next(), numbers.next()];
    if (brand_id !== holder.brand_id || player_id !== holder.player_id) return null;
    if (change_id == null || at == null || stopped == null || restorable == null || !numbers.ended) return null;
    // The clocks of other api processes may be slightly ahead: a receipt from the near future is valid.
    if (now - at > receiptMicros) return null;
    const channels = { stopped: channelsOfBits(stopped), restorable: channelsOfBits(restorable) };
    return { brand_id, player_id, change_id, at, ...channels };
  }
}
