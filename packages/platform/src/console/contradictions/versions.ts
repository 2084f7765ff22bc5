import type { Micros, PlatformEvent } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { awaitAll } from '../../database/index.ts';
import {
  type DerivedEvent,
  entriesAt,
  type FactOfEvent,
  factOfEvent,
  fingerprintOf,
  type JournalEntry,
  positionName,
} from '../../derive/index.ts';
import type { LocalizedText } from '../../language.ts';
import type { Ledger, LedgerEvent } from '../../ledger/index.ts';
import { readStored } from '../feed/described-event.ts';
import { positionText } from '../feed/position.ts';
import { summaryOfEvent } from '../feed/summary.ts';
import { withGameNames } from '../feed/with-game-names.ts';

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
  /** Contains personal data, so it is not part of an answer. */
  event: PlatformEvent;
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
 * The facts of events. Each fact has all its derived events within the limits above, including repeats, so that a person sees
 * everything that the operator sent. Null for an event without a fact to show.
 *
 * A page of 50 events costs as many round trips as one event: the facts are read in one, the journal in one, and the ledger in
 * one.
 */
export async function factsOf(
  { pool, ledger }: Deps,
  brand: Brand,
  found: readonly { entry: JournalEntry; source: LedgerEvent }[],
): Promise<(FactWithVersions | null)[]> {
  const events = found.map(({ entry, source }) =>
    entry.player_id === null ? null : derivedAgain(brand, entry.player_id, source),
  );
  const facts = await readTogether(pool, (db) =>
    events.map((event) => (event === null ? undefined : factOfEvent(db, event))),
  );
  const shown = events.flatMap((event, place) => {
    const fact = facts[place];
    return event === null || fact === undefined ? [] : [{ event, fact, place }];
  });
  const entries = await entriesAt(
    pool,
    shown.map(({ event: { player_id, event }, fact }) => {
      const latest = [...new Set(fact.times)].sort((a, b) => a - b).slice(-maxTimes);
      return { player_id, kind: event.kind, times: [...new Set([...latest, event.timestamp])] };
    }),
    maxEntries,
  );
  const bucketOf = (place: number) => found[place]?.source.bucket;
  const sought = shown.flatMap(({ place }, i) =>
    (entries[i] ?? []).map(({ position }) => ({ ...position, bucket: bucketOf(place) })),
  );
  const sources = new Map((await ledger.at(sought)).map((source) => [positionName(source.position), source]));
  const answer: (FactWithVersions | null)[] = found.map(() => null);
  for (const [i, { event, fact, place }] of shown.entries()) {
    const versions = (entries[i] ?? []).flatMap(({ position }) => {
      const source = sources.get(positionName(position));
      return (source && derivedAgain(brand, event.player_id, source)) ?? [];
    });
    const its = versions.filter((each) => fact.isOf(each));
    its.sort((a, b) => a.event.timestamp - b.event.timestamp || a.received_at - b.received_at);
    answer[place] = { fact, versions: versionsOf(its, fact) };
  }
  // One query for the versions of all facts.
  const named = await withGameNames(
    pool,
    brand.brand_id,
    answer.flatMap((each) => each?.versions ?? []),
  );
  return answer.map((each) => each && { ...each, versions: named.splice(0, each.versions.length) });
}

/** Sends several statements over one connection together, in one round trip. */
async function readTogether<T>(pool: Pool, reads: (db: PoolClient) => readonly T[]): Promise<Awaited<T>[]> {
  const client = await pool.connect();
  try {
    return await awaitAll(reads(client));
  } finally {
    client.release();
  }
}

/** A stored event, in the form in which derive read it. */
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
      event,
      in_force,
    };
  });
}
