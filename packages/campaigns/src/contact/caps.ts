import type { Micros } from '@croupier/contracts';
import { readDuration } from '@croupier/rules';

/** A frequency cap of the brand. Without a channel it counts all channels; without a purpose, all purposes. */
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

/** What one player received, and what is held for the same player. */
export interface ContactHistory {
  sent: readonly (Contact & { at: Micros })[];
  /** Held contacts of other runs. Those of a higher priority reserve their places. */
  held: readonly (Contact & { priority: number })[];
}

/** A cap that applies to a contact, and how many of its places are taken. */
export interface CapCount {
  cap: FrequencyCap;
  sent: number;
  /** Reserved for held contacts of a higher priority. */
  reserved: number;
}

/** The caps that apply to a contact, in the order of the setting. */
export function capCounts(
  caps: readonly FrequencyCap[],
  contact: Contact & { priority: number },
  { sent, held }: ContactHistory,
  at: Micros,
): CapCount[] {
  return caps
    .filter((cap) => counts(cap, contact))
    .map((cap) => {
      // The start of the period is excluded, as in all periods.
      const since = at - lengthOf(cap);
      return {
        cap,
        sent: sent.filter((one) => counts(cap, one) && one.at > since).length,
        reserved: held.filter((one) => counts(cap, one) && one.priority > contact.priority).length,
      };
    });
}

/** The first cap that a contact would exceed, or undefined if there is none. */
export function exceededCap(counted: readonly CapCount[]): FrequencyCap | undefined {
  return counted.find(({ cap, sent, reserved }) => sent + reserved >= cap.times)?.cap;
}

function counts(cap: FrequencyCap, { channel, purpose }: Contact): boolean {
  return (cap.channel ?? channel) === channel && (cap.purpose ?? purpose) === purpose;
}

/** The length of the longest cap; 0 if there is none. */
export function longestCap(caps: readonly FrequencyCap[]): Micros {
  return Math.max(0, ...caps.map(lengthOf));
}

function lengthOf({ within }: FrequencyCap): Micros {
  const length = readDuration(within);
  if (length === undefined) throw new RangeError(`"${within}" is not an ISO 8601 duration; write for example P1D`);
  return length;
}
