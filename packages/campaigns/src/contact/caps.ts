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

/** A cap that a contact falls under, and how much of it is taken. */
export interface CapCount {
  cap: FrequencyCap;
  sent: number;
  /** Kept for contacts of a higher priority that are held. */
  reserved: number;
}

/** The caps that a contact falls under, in the order of the setting. */
export function capCounts(
  caps: readonly FrequencyCap[],
  contact: Contact & { priority: number },
  { sent, held }: ContactHistory,
  at: Micros,
): CapCount[] {
  return caps
    .filter((cap) => counts(cap, contact))
    .map((cap) => {
      // Like all stretches of time, open at its old end.
      const since = at - lengthOf(cap);
      return {
        cap,
        sent: sent.filter((one) => counts(cap, one) && one.at > since).length,
        reserved: held.filter((one) => counts(cap, one) && one.priority > contact.priority).length,
      };
    });
}

/** The first cap that a contact would exceed; undefined: none. */
export function exceededCap(counted: readonly CapCount[]): FrequencyCap | undefined {
  return counted.find(({ cap, sent, reserved }) => sent + reserved >= cap.times)?.cap;
}

function counts(cap: FrequencyCap, { channel, purpose }: Contact): boolean {
  return (cap.channel ?? channel) === channel && (cap.purpose ?? purpose) === purpose;
}

/** The length of the longest cap; 0: there is none. */
export function longestCap(caps: readonly FrequencyCap[]): Micros {
  return Math.max(0, ...caps.map(lengthOf));
}

function lengthOf({ within }: FrequencyCap): Micros {
  const length = readDuration(within);
  if (length === undefined) throw new RangeError(`"${within}" is no ISO 8601 duration; write for example P1D`);
  return length;
}
