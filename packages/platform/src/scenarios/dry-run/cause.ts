import { matchesEvent } from '@croupier/campaigns';
import { eventKinds, type Micros } from '@croupier/contracts';
import type { Catalog } from '@croupier/rules';
import type { Brand } from '../../brands/index.ts';
import { eventName, eventNews, type RunCause, type RunnableVersion } from '../../campaigns/index.ts';
import { readLedgerEvent } from '../../derive/index.ts';
import { type Ledger, playerHash } from '../../ledger/index.ts';

/** Maximum number of a player's events that are searched for a cause. */
const mostEvents = 1_000;
const pageEvents = 200;
const lookedBack = 90 * 86_400_000_000;

export interface CauseSearch {
  ledger: Pick<Ledger, 'newest'>;
  brand: Brand;
  version: RunnableVersion;
  user_id: string;
  catalog: Catalog;
  at: Micros;
}

/**
 * The cause for a player's entry. For an entry by an event, it is the player's latest matching event of the last 90 days;
 * otherwise it follows from the entry itself.
 *
 * @returns `found` false if there is no such event; the run then has a cause without fields
 */
export async function causeOf(search: CauseSearch): Promise<{ cause: RunCause; found: boolean }> {
  const { version, at } = search;
  const { entry } = version.document;
  if ('api' in entry) {
    const { campaign_id } = version;
    return { cause: { type: 'api', campaign_id, key: 'dry run', data: {}, at }, found: true };
  }
  if ('segment' in entry) {
    const { segment: code, on: transition } = entry;
    return { cause: { type: 'segment', id: 'dry run', code, transition, at }, found: true };
  }
  if ('schedule' in entry) return { cause: { type: 'schedule', local: 'dry run', at }, found: true };
  const found = await latestEvent(search, entry);
  const { event: kind } = entry;
  const none = { type: 'event', id: 'dry run', key: 'dry run', kind, at, received_at: at, row: { at } } as const;
  return found === undefined ? { cause: { ...none, starts: true }, found: false } : { cause: found, found: true };
}

async function latestEvent(
  { ledger, brand, user_id, catalog, at }: CauseSearch,
  entry: Parameters<typeof matchesEvent>[0],
): Promise<RunCause | undefined> {
  const { brand_id, settings } = brand;
  const kinds = eventKinds.filter((kind) => eventName(kind) === entry.event);
  const filter = { brand_id, player_hash: playerHash(brand_id, user_id), kinds, from: at - lookedBack };
  const reading = { catalog, at, zone: settings.time_zone };
  let before: string | undefined;
  for (let seen = 0; seen < mostEvents; seen += pageEvents) {
    const { events, next } = await ledger.newest(filter, pageEvents, before);
    for (const source of events) {
      const read = readLedgerEvent(source, brand);
      if (!read.ok) continue;
      const { received_at, position } = source;
      const news = eventNews(
        { event: read.readable.event, received_at, position },
        settings.trigger_age_minutes * 60_000_000,
      );
      if (news !== undefined && matchesEvent(entry, news, reading)) return news;
    }
    if (next === null) return undefined;
    before = next;
  }
  return undefined;
}
