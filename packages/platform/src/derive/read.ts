import { type Flag, type PlatformEvent, parseBody, readEvent } from '@croupier/contracts';
import type { Brand, BrandSettings } from '../brands/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';

/** An event of the ledger that could be parsed. */
export interface ReadableEvent {
  source: LedgerEvent;
  event: PlatformEvent;
  body: unknown;
  flags: readonly Flag[];
  settings: BrandSettings;
}

export interface UnreadableEvent {
  source: LedgerEvent;
  /** For people. It names fields, but never contains their values. */
  reason: string;
}

export type ReadingOfLedgerEvent = { ok: true; readable: ReadableEvent } | { ok: false; unreadable: UnreadableEvent };

/**
 * Reads an event of the ledger by the current rules. Ingest has read it before, so it is readable, unless the rules
 * became stricter or the brand was removed. Then it is parked, because the ledger never discards an event.
 *
 * The clock is the time of receipt, so reading an event again years later gives the same event and the same flags.
 */
export function readLedgerEvent(source: LedgerEvent, brand: Brand | undefined): ReadingOfLedgerEvent {
  if (brand === undefined) return unreadable(source, `brand ${source.brand_id} is unknown`);
  const parsing = parseBody(source.body.toString('utf8'));
  if (!parsing.ok) return unreadable(source, parsing.error.rule);
  const { settings } = brand;
  const { zoneless_timestamps, base_currency, reference_prefix } = settings;
  const context = { now: source.received_at, zoneless_timestamps, base_currency, reference_prefix, trusted: true };
  const reading = readEvent(source.kind, parsing.body, context);
  if (!reading.ok) {
    return unreadable(source, reading.errors.map(({ path, rule }) => `${path}: ${rule}`).join(', '));
  }
  const { event, flags } = reading;
  return { ok: true, readable: { source, event, body: parsing.body, flags, settings } };
}

function unreadable(source: LedgerEvent, reason: string): ReadingOfLedgerEvent {
  return { ok: false, unreadable: { source, reason } };
}
