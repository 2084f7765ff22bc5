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

/** An event that a page asks to be recorded, judged and complete but for its time. */
export interface TrackedEvent {
  event_id: string;
  name: string;
  data: Record<string, unknown>;
}

/** What the schema of the call cannot say. @returns what is wrong with the data, for the developer of the page; null: nothing. */
export function problemOfData(data: Record<string, unknown>): string | null {
  if (Array.isArray(data)) return 'Data must be an object.';
  if (isDeeper(data, mostTrackedDepth)) return `Data nests deeper than ${mostTrackedDepth} levels.`;
  const bytes = Buffer.byteLength(JSON.stringify(data));
  return bytes > mostTrackedBytes ? `Data has ${bytes} bytes as JSON; ${mostTrackedBytes} are the most.` : null;
}

function isDeeper(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((entry) => isDeeper(entry, left - 1));
}

/** Tells a repeated call from another one under the same id. */
export function digestOf({ name, data }: TrackedEvent): Buffer {
  return createHash('sha256')
    .update(canonicalJson([name, data]))
    .digest();
}

/**
 * The body of the event in the ledger.
 *
 * Player and kind are ours, so no page can speak for another player, of money, or for the operator. The id is a field because two events
 * of one millisecond that say the same would else be one. Numbers that binary cannot hold are text already (`parseBody`), as derive would
 * make them.
 */
export function bodyOf(event: TrackedEvent, userId: string, at: Micros): Buffer {
  const { event_id, name, data } = event;
  const body: BodyOf<'site_event'> = { user_id: userId, timestamp: timestamptzText(at), name, event_id, data };
  return Buffer.from(JSON.stringify(body));
}

export function eventOf({ Name, Data = {} }: TrackRequest, event_id: string): TrackedEvent {
  return { event_id, name: Name, data: Data };
}
