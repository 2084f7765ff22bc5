import { setTimeout as delay } from 'node:timers/promises';
import { type Campaign, matchesEvent } from '@croupier/campaigns';
import { eventKinds, type Micros } from '@croupier/contracts';
import type { Catalog } from '@croupier/rules';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { eventName, eventNews } from '../../campaigns/index.ts';
import { readLedgerEvent } from '../../derive/index.ts';
import { type Ledger, playerHash } from '../../ledger/index.ts';

export interface Candidate {
  player_id: number;
  user_id: string;
}

export interface CandidateSearch {
  pool: Pool;
  ledger: Pick<Ledger, 'history'>;
  brand: Brand;
  campaign: Campaign;
  catalog: Catalog;
  from: Micros;
  until: Micros;
  /** Pauses after each page for as long as the page took. */
  throttled: boolean;
  /** Ends the search, with an error. */
  signal: AbortSignal;
}

/**
 * Returns the players of one bucket who may have entered. For an entry by an event, these are the players with a matching
 * event; otherwise they are all players. They are sorted by their hashes, so the first of them are a random sample, and the
 * same one each time.
 */
export async function candidatesOf(search: CandidateSearch, bucket: number): Promise<Candidate[]> {
  const { brand, campaign } = search;
  const { brand_id } = brand;
  const names = 'event' in campaign.entry ? await whoseEventMatches(search, campaign.entry, bucket) : null;
  const rows = names === null ? await ofBucket(search, bucket) : await named(search, names);
  const hashes = new Map(rows.map(({ user_id }) => [user_id, playerHash(brand_id, user_id)]));
  const hashOf = ({ user_id }: Candidate) => hashes.get(user_id) ?? 0n;
  return rows.toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
}

async function ofBucket({ pool, brand: { brand_id } }: CandidateSearch, bucket: number): Promise<Candidate[]> {
  const { rows } = await pool.query<Candidate>(
    'select player_id, user_id from player where brand_id = $1 and bucket = $2 and erased_at is null',
    [brand_id, bucket],
  );
  return rows;
}

async function named({ pool, brand: { brand_id } }: CandidateSearch, names: readonly string[]): Promise<Candidate[]> {
  const { rows } = await pool.query<Candidate>(
    'select player_id, user_id from player where brand_id = $1 and user_id = any($2::text[]) and erased_at is null',
    [brand_id, names],
  );
  return rows;
}

async function whoseEventMatches(
  { ledger, brand, catalog, from, until, throttled, signal }: CandidateSearch,
  entry: Parameters<typeof matchesEvent>[0],
  bucket: number,
): Promise<string[]> {
  const { brand_id, settings } = brand;
  const kinds = eventKinds.filter((kind) => eventName(kind) === entry.event);
  const found = new Set<string>();
  let began = performance.now();
  for await (const page of ledger.history({ brand_id, buckets: [bucket], kinds, from, to: until })) {
    for (const source of page) {
      const read = readLedgerEvent(source, brand);
      if (!read.ok || found.has(read.readable.event.user_id)) continue;
      const { received_at, position } = source;
      const { event } = read.readable;
      const news = eventNews({ event, received_at, position }, settings.trigger_age_minutes * 60_000_000);
      const reading = { catalog, at: received_at, zone: settings.time_zone };
      if (news?.starts && matchesEvent(entry, news, reading)) found.add(event.user_id);
    }
    signal.throwIfAborted();
    if (throttled) await delay(performance.now() - began, undefined, { signal });
    began = performance.now();
  }
  return [...found];
}
