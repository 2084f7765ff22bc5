import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import {
  type DerivedEvent,
  entriesAt,
  type FactOfEvent,
  factOfEvent,
  fingerprintOf,
  type JournalEntry,
} from '../../derive/index.ts';
import type { Ledger, LedgerEvent } from '../../ledger/index.ts';
import { readStored } from '../feed/described-event.ts';
import { positionText } from '../feed/position.ts';
import { summaryOfEvent } from '../feed/summary.ts';
import type { LocalizedText } from '../language/language.ts';

/** One event of a fact, with its position in the ledger. */
export interface FactVersion {
  position: string;
  /** Null for kinds without a status. */
  status: string | null;
  timestamp: Micros;
  received_at: Micros;
  /** Null, like the other amounts, if the event has several amounts, which are in its summary. */
  amount: string | null;
  currency: string | null;
  exchange_rate: string | null;
  summary: LocalizedText;
  in_force: boolean;
}

export interface FactWithVersions {
  fact: FactOfEvent;
  /** Oldest first. */
  versions: FactVersion[];
}

interface Deps {
  pool: Pool;
  ledger: Ledger;
}

/**
 * Maximum number of different times of a fact's events that are looked up, latest first: several times the number of statuses
 * that a fact can have.
 */
const maxTimes = 50;
/** Maximum number of versions and repeats. */
const maxEntries = 200;

/**
 * The fact of an event, with all its derived events within the limits above, including repeats, so that a person sees
 * everything that the operator sent. Null for an event without a fact to show.
 */
export async function factOf(
  deps: Deps,
  brand: Brand,
  entry: JournalEntry,
  source: LedgerEvent,
): Promise<FactWithVersions | null> {
  const { player_id } = entry;
  const event = player_id === null ? null : derivedAgain(brand, player_id, source);
  if (player_id === null || event === null) return null;
  const outcome = await factOfEvent(deps.pool, event);
  if (outcome === undefined) return null;
  const earlier = [...new Set(outcome.times)].sort((a, b) => a - b).slice(-maxTimes);
  const times = [...new Set([...earlier, event.event.timestamp])];
  const entries = await entriesAt(deps.pool, player_id, [event.event.kind], times, maxEntries);
  const sources = await deps.ledger.at(entries.map(({ position }) => ({ ...position, bucket: source.bucket })));
  const events = sources
    .flatMap((each) => derivedAgain(brand, player_id, each) ?? [])
    .filter((each) => outcome.isOf(each));
  events.sort((a, b) => a.event.timestamp - b.event.timestamp || a.received_at - b.received_at);
  return { fact: outcome, versions: versionsOf(events, outcome) };
}

/** A stored event as derive saw it. */
function derivedAgain(brand: Brand, player_id: number, source: LedgerEvent): DerivedEvent | null {
  const { event, flags, body } = readStored(source, brand);
  if (event === null) return null;
  const { brand_id, settings } = brand;
  return {
    brand_id,
    player_id,
    event,
    body,
    flags,
    received_at: source.received_at,
    position: source.position,
    settings,
  };
}

function versionsOf(events: readonly DerivedEvent[], { inForce }: FactOfEvent): FactVersion[] {
  const seen = new Set<string>();
  return events.map((each) => {
    const { event, position, received_at } = each;
    const fingerprint = fingerprintOf(each);
    // The same body sent twice is one version: only the first counts.
    const in_force = inForce.has(fingerprint) && !seen.has(fingerprint);
    seen.add(fingerprint);
    return {
      position: positionText(position),
      status: 'status' in event ? event.status : null,
      timestamp: event.timestamp,
      received_at,
      ...('amount' in event
        ? { amount: event.amount, currency: event.currency, exchange_rate: event.exchange_rate }
        : { amount: null, currency: null, exchange_rate: null }),
      summary: summaryOfEvent(event),
      in_force,
    };
  });
}
