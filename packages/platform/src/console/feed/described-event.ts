import {
  type EventKind,
  type FieldError,
  type Flag,
  type Micros,
  type PlatformEvent,
  parseBody,
  readEvent,
} from '@croupier/contracts';
import type { Brand } from '../../brands/index.ts';
import { type JournalEntry, journalKept, type Verdict } from '../../derive/index.ts';
import type { LocalizedText } from '../../language.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { positionText } from './position.ts';
import { summaryOfEvent } from './summary.ts';

/**
 * Two additional verdicts, for events without a row in the journal:
 *
 *   pending   derive has not processed it yet
 *   past      it is older than the oldest row of the journal; the ledger keeps events for longer
 */
export type ShownVerdict = Verdict | 'pending' | 'past';

/** One event of the ledger as shown to people. */
export interface DescribedEvent {
  position: string;
  kind: EventKind;
  /** Null, like `origin` and `timestamp`, if the event can no longer be read. */
  user_id: string | null;
  player_id: number | null;
  origin: string | null;
  timestamp: Micros | null;
  received_at: Micros;
  verdict: ShownVerdict;
  flags: readonly Flag[];
  /** The fields that the flags concern, if they concern single fields. Contains no values. */
  remarks: readonly FieldError[];
  /** The event in one line, without personal data; null if it can no longer be read. */
  summary: LocalizedText | null;
  /** As derive reads it; null if it can no longer be read. Contains personal data, so it is not part of an answer. */
  event: PlatformEvent | null;
  /** As it was sent, with numbers that JSON would round as text; the raw text if it is not JSON. */
  body: unknown;
}

/**
 * Parses an event of the ledger again, with the current rules and the time of its receipt. Derive does the same, so both see the
 * same event. `event` is null if it can no longer be read. `body` is then the part that can be shown.
 */
export function readStored(
  source: LedgerEvent,
  brand: Brand,
): { event: PlatformEvent | null; flags: readonly Flag[]; remarks: readonly FieldError[]; body: unknown } {
  const text = source.body.toString('utf8');
  const parsing = parseBody(text);
  if (!parsing.ok) return { event: null, flags: [], remarks: [], body: text };
  const { zoneless_timestamps, base_currency, reference_prefix } = brand.settings;
  const context = { now: source.received_at, zoneless_timestamps, base_currency, reference_prefix, trusted: true };
  const reading = readEvent(source.kind, parsing.body, context);
  if (!reading.ok) return { event: null, flags: [], remarks: [], body: parsing.body };
  const { event, flags, remarks } = reading;
  return { event, flags, remarks, body: parsing.body };
}

/** Combines the ledger's event with derive's record about it. Pure. */
export function describeEvent(
  source: LedgerEvent,
  mark: JournalEntry | undefined,
  { brand, now }: { brand: Brand; now: Micros },
): DescribedEvent {
  const { event, flags, remarks, body } = readStored(source, brand);
  return {
    position: positionText(source.position),
    kind: source.kind,
    user_id: event?.user_id ?? null,
    player_id: mark?.player_id ?? null,
    origin: (event && 'origin' in event ? event.origin : undefined) ?? null,
    timestamp: event?.timestamp ?? null,
    received_at: source.received_at,
    verdict: mark?.verdict ?? (source.received_at > now - journalKept ? 'pending' : 'past'),
    flags: mark?.flags ?? flags,
    remarks,
    summary: event && summaryOfEvent(event),
    event,
    body,
  };
}
