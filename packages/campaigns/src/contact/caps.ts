import type { Micros } from '@croupier/contracts';
import { readDuration } from '@croupier/rules';

/** A frequency cap of the brand. Without a channel it counts all channels, without a purpose all purposes. */
export interface FrequencyCap {
  channel?: string | null;
  purpose?: string | null;
  times: number;
  /** ISO 8601, such as P1D. */
  within: string;
}

export interface Contact {
  channel: string;
  purpose: string;
}

/** What one player received, and what waits for the same player. */
export interface ContactHistory {
  sent: readonly (Contact & { at: Micros })[];
  /** Contacts of other runs that are held. Those of a higher priority keep their places. */
  held: readonly (Contact & { priority: number })[];
}

/** The first cap that a contact would exceed, in the order of the setting; undefined: none. */
export function exceededCap(
  caps: readonly FrequencyCap[],
  contact: Contact & { priority: number },
  { sent, held }: ContactHistory,
  at: Micros,
): FrequencyCap | undefined {
  return caps.find((cap) => {
    if (!counts(cap, contact)) return false;
    // Like all stretches of time, open at its old end.
    const since = at - lengthOf(cap);
    const taken = sent.filter((one) => counts(cap, one) && one.at > since).length;
    const reserved = held.filter((one) => counts(cap, one) && one.priority > contact.priority).length;
    return taken + reserved >= cap.times;
  });
}

function counts(cap: FrequencyCap, { channel, purpose }: Contact): boolean {
  return (cap.channel ?? channel) === channel && (cap.purpose ?? purpose) === purpose;
}

function lengthOf({ within }: FrequencyCap): Micros {
  const length = readDuration(within);
  if (length === undefined) throw new RangeError(`"${within}" is no ISO 8601 duration; write for example P1D`);
  return length;
}
