import { type EventKind, type EventOf, parseBody, readEvent } from '@croupier/contracts';
import type { Message } from '../../src/index.ts';

/** A parsed message with its fingerprint, which distinguishes it from others. Only the order of fingerprints matters. */
export interface Received<K extends EventKind> {
  event: EventOf<K>;
  print: string;
}

export interface PlainBrand {
  base_currency: string;
  zoneless_timestamps: string;
}
export type Print = (kind: EventKind, body: unknown) => string;

/** Returns all readable events of one kind, by player. */
export function receivedOf<K extends EventKind>(
  messages: readonly Message[],
  kind: K,
  brand: PlainBrand,
  print: Print,
): Map<string, Received<K>[]> {
  const all = messages.flatMap((message): Received<K>[] => {
    if (message.kind !== kind) return [];
    const parsed = parseBody(message.body);
    if (!parsed.ok) return [];
    const reading = readEvent(kind, parsed.body, { ...brand, now: Date.UTC(2030, 0) * 1000 });
    return reading.ok ? [{ event: reading.event as EventOf<K>, print: print(kind, parsed.body) }] : [];
  });
  return Map.groupBy(all, ({ event }) => event.user_id);
}

/**
 * Returns the event in force of each key: the earliest. Of several earliest, the one with the smallest fingerprint
 * (docs/reference/decisions.md 2.3).
 */
export function eventsInForce<K extends EventKind>(
  received: readonly Received<K>[],
  keyOf: (event: EventOf<K>) => readonly unknown[],
): EventOf<K>[] {
  const groups = Map.groupBy(received, ({ event }) => JSON.stringify(keyOf(event)));
  return [...groups.values()].map((rivals) => {
    const [first] = rivals.sort((a, b) => a.event.timestamp - b.event.timestamp || (a.print < b.print ? -1 : 1));
    return (first as Received<K>).event;
  });
}
