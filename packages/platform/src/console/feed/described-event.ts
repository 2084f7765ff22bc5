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
import type { LedgerEvent } from '../../ledger/index.ts';
import { positionText } from './position.ts';
import { summaryOfEvent } from './summary.ts';

/**
 * Two that derive does not give, for events of which the journal has no row:
 *
 *   pending   derive has not come to it yet
 *   past      it came before all that the journal still tells of; the ledger keeps events for longer
 */
export type ShownVerdict = Verdict | 'pending' | 'past';

/** What a person is told about one event of the ledger. */
export interface DescribedEvent {
  position: string;
  kind: EventKind;
  /** Null, like `origin` and `timestamp`, when the event cannot be read any more. */
  user_id: string | null;
  player_id: number | null;
  origin: string | null;
  timestamp: Micros | null;
  received_at: Micros;
  verdict: ShownVerdict;
  flags: readonly Flag[];
  /** Which fields the flags are about, where it is single ones. No value stands in them. */
  remarks: readonly FieldError[];
  /** What it says in one line, without anything personal; null when it cannot be read any more. */
  summary: string | null;
  /** As it was sent, numbers that JSON would round as text; the text itself when it is no JSON. */
  body: unknown;
}

/**
 * Reads an event of the ledger again, by today's rules with the clock at its receipt: as derive does it, so both see the
 * same event. `event` is null when it cannot be read any more, `body` is then what can be shown of it.
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

/** Puts together what the ledger holds of an event and what derive noted about it. Pure. */
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
    body,
  };
}
