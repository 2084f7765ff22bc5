import { createHash } from 'node:crypto';
import {
  type BodyOf,
  canonicalJson,
  type Micros,
  mostTrackedBytes,
  mostTrackedDepth,
  type TrackRequest,
} from '@croupier/contracts';
import { timestamptzText } from '../../database/index.ts';

/** A validated event of a page, complete except for its time. */
export interface TrackedEvent {
  event_id: string;
  name: string;
  data: Record<string, unknown>;
}

/**
 * Makes the checks that the schema of the call cannot express. @returns the error in the data, for the developer of the page;
 * null if there is none
 */
export function problemOfData(data: Record<string, unknown>): string | null {
  if (Array.isArray(data)) return 'Data must be an object.';
  if (isDeeper(data, mostTrackedDepth)) return `Data nests deeper than ${mostTrackedDepth} levels.`;
  const bytes = Buffer.byteLength(JSON.stringify(data));
  return bytes > mostTrackedBytes ? `Data has ${bytes} bytes as JSON; the maximum is ${mostTrackedBytes}.` : null;
}

function isDeeper(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((entry) => isDeeper(entry, left - 1));
}

/** Distinguishes a repeated call from another one with the same id. */
export function digestOf({ name, data }: TrackedEvent): Buffer {
  return createHash('sha256')
    .update(canonicalJson([name, data]))
    .digest();
}

/**
 * The body of the event in the ledger.
 *
 * The platform sets player and kind, so a page cannot create events of another player, events about money, or events of
 * the operator. The id is a field, because two identical events within one millisecond would otherwise be one. Numbers that
 * binary floating point cannot represent are already text (`parseBody`), as in derive.
 */
export function bodyOf(event: TrackedEvent, userId: string, at: Micros): Buffer {
  const { event_id, name, data } = event;
  const body: BodyOf<'site_event'> = { user_id: userId, timestamp: timestamptzText(at), name, event_id, data };
  return Buffer.from(JSON.stringify(body));
}

export function eventOf({ Name, Data = {} }: TrackRequest, event_id: string): TrackedEvent {
  return { event_id, name: Name, data: Data };
}
