import type { EventKind, Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { type JournalEntry, marksOf, notedEntries, positionName, type Verdict } from '../../derive/index.ts';
import {
  type Bucket,
  type HistoryFilter,
  type Ledger,
  type LedgerEvent,
  type LedgerPosition,
  playerHash,
} from '../../ledger/index.ts';
import { gather, type Stretch } from '../paging/gather.ts';
import { Refused } from '../routing/refused.ts';
import { type DescribedEvent, describeEvent } from './described-event.ts';
import { readPosition } from './position.ts';

export interface FeedDeps {
  pool: Pool;
  ledger: Ledger;
  clock: Clock;
}

export interface FeedFilter {
  kind?: EventKind | undefined;
  user_id?: string | undefined;
  origin?: string | undefined;
  verdict?: Verdict | 'pending' | undefined;
  from?: Micros | undefined;
  to?: Micros | undefined;
}

/** Maximum number of ranges read per page: some thousand events, well below a second. */
const maxReads = 20;

/** Events read after a full page, to find out whether it was the last one. */
const lookedAhead = 10;

type NotedVerdict = NonNullable<Parameters<typeof notedEntries>[2]['verdict']>;

/** Whether a verdict is rare enough to have its own index in the journal. */
function isNoted(verdict: FeedFilter['verdict']): verdict is NotedVerdict {
  return verdict !== undefined && verdict !== 'pending' && verdict !== 'applied' && verdict !== 'repeat';
}

/**
 * One page of a brand's events, newest first.
 *
 * The ledger is the source, so the feed is complete even if derive lags or cannot apply an event. Only for rare
 * verdicts, the journal is read first: it finds the events, and the ledger provides the bodies.
 */
export async function readFeed(
  deps: FeedDeps,
  brand: Brand,
  filter: FeedFilter,
  page: { limit: number; before: string | undefined },
): Promise<Stretch<DescribedEvent>> {
  const source = isNoted(filter.verdict) ? fromJournal : fromLedger;
  const read = (limit: number, before: string | undefined) => source(deps, brand, filter, limit, before);
  const wanted = (event: DescribedEvent) => isWanted(event, filter);
  const { items, next } = await gather(read, wanted, { ...page, maxReads });
  if (next === null || items.length < page.limit) return { items, next };
  // A full page may be the last one, because the ledger's token contains only where reading stopped.
  const ahead = await read(lookedAhead, next);
  return { items, next: ahead.next === null && !ahead.items.some(wanted) ? null : next };
}

/** Null if the brand has no event at this position, or it is no longer kept. */
async function readFeedEvent(
  { pool, ledger, clock }: FeedDeps,
  brand: Brand,
  position: LedgerPosition,
): Promise<{ event: LedgerEvent; described: DescribedEvent } | null> {
  const [event] = await ledger.at([position]);
  if (event === undefined || event.brand_id !== brand.brand_id) return null;
  const marks = await marksOf(pool, [event]);
  return { event, described: describeEvent(event, marks.get(positionName(position)), { brand, now: clock() }) };
}

/** The same for a position as the API writes it. @throws Refused if the brand has no event there */
export async function feedEventAt(deps: FeedDeps, brand: Brand, text: string) {
  const position = readPosition(text);
  const found = position && (await readFeedEvent(deps, brand, position));
  if (found !== null) return found;
  throw new Refused('not_found', {
    en: `this brand has no event at ${text}`,
    de: `Diese Marke hat kein Ereignis an der Position ${text}`,
  });
}

async function fromLedger(
  { pool, ledger, clock }: FeedDeps,
  brand: Brand,
  filter: FeedFilter,
  limit: number,
  before: string | undefined,
): Promise<Stretch<DescribedEvent>> {
  const { events, next } = await ledger.newest(historyFilter(brand, filter), limit, before);
  const marks = await marksOf(pool, events);
  const now = clock();
  return {
    items: events.map((event) => describeEvent(event, marks.get(positionName(event.position)), { brand, now })),
    next,
  };
}

async function fromJournal(
  { pool, ledger, clock }: FeedDeps,
  brand: Brand,
  filter: FeedFilter,
  limit: number,
  before: string | undefined,
): Promise<Stretch<DescribedEvent>> {
  const verdict = isNoted(filter.verdict) ? filter.verdict : undefined;
  const kinds = filter.kind === undefined ? {} : { kinds: [filter.kind] };
  const { entries, next } = await notedEntries(pool, brand.brand_id, { verdict, ...kinds }, limit, before);
  const last = entries.at(-1);
  const past = filter.from !== undefined && last !== undefined && last.received_at < filter.from;
  return { items: await describeEntries({ ledger, clock }, brand, entries), next: past ? null : next };
}

/**
 * Rows of the journal with their events from the ledger; events that are no longer kept are omitted.
 *
 * @param bucket of the player, if all of them belong to one: packed days are then searched in one place
 */
export async function describeEntries(
  { ledger, clock }: Pick<FeedDeps, 'ledger' | 'clock'>,
  brand: Brand,
  entries: readonly JournalEntry[],
  bucket?: Bucket,
): Promise<DescribedEvent[]> {
  const marks = new Map(entries.map((entry) => [positionName(entry.position), entry]));
  const events = await ledger.at(entries.map(({ position }) => ({ ...position, bucket })));
  const now = clock();
  return events.map((event) => describeEvent(event, marks.get(positionName(event.position)), { brand, now }));
}

function historyFilter(brand: Brand, { kind, user_id, from, to }: FeedFilter): HistoryFilter {
  return {
    brand_id: brand.brand_id,
    ...(kind !== undefined && { kinds: [kind] }),
    ...(user_id !== undefined && { player_hash: playerHash(brand.brand_id, user_id) }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/**
 * Also checks conditions that the source has already applied: two players may share a hash, and the journal does not contain
 * the user_id.
 */
function isWanted(event: DescribedEvent, { kind, user_id, origin, verdict, from, to }: FeedFilter): boolean {
  return (
    (kind === undefined || event.kind === kind) &&
    (user_id === undefined || event.user_id === user_id) &&
    (origin === undefined || event.origin === origin) &&
    (verdict === undefined || event.verdict === verdict) &&
    (from === undefined || event.received_at >= from) &&
    (to === undefined || event.received_at <= to)
  );
}
