import type { EventKind, Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { playerIntents } from '../../actions/index.ts';
import { type ListedRun, playerEnds, playerEntries, readCampaigns } from '../../campaigns/index.ts';
import { listMessagesElsewhere, playerNotifications } from '../../channels/index.ts';
import type { TimePage } from '../../database/index.ts';
import { type JournalEntry, positionName, timeline, type Verdict } from '../../derive/index.ts';
import { listDecisions } from '../../gate/index.ts';
import { readSyncedPlayer } from '../../operator/players/index.ts';
import { playerTransitions } from '../../operator/protection/index.ts';
import { playerWriteBacks } from '../../operator/writeback/index.ts';
import { readTagChanges, segmentTransitions } from '../../segments/membership/index.ts';
import { selectAuditOf } from '../audit/store.ts';
import {
  changeItem,
  decisionItem,
  elsewhereItem,
  endItem,
  entryItem,
  eventItem,
  intentItem,
  mergeSources,
  messageItem,
  type OtherItem,
  type Place,
  type Placed,
  pageOfSource,
  type RunItem,
  refreshItems,
  type Source,
  segmentItem,
  sources,
  staffItem,
  type TimelineItem,
  tagItem,
  transitionItem,
} from './timeline.ts';

/*
 * The timeline is merged from lists that are in different tables. Each list is read by time, newest first, within the bounds of the
 * call, starting at the end of the previous page. So a page reads at most one page of each list. The pages together contain every
 * entry once, no matter how many entries of other kinds are newer.
 *
 * Not promised: an entry moves to the top when its state changes. If that happens between two pages, the later page no
 * longer contains it. The first page contains it when it is read again.
 */

export interface TimelinePlayer {
  brandId: number;
  playerId: number;
}

export interface TimelineQuery {
  /** A kind of events, or the type of other items; `effect`: everything except events and actions of staff. */
  kind?: EventKind | OtherItem['type'] | 'effect' | undefined;
  /** Only events with this verdict. */
  verdict?: Verdict | undefined;
  from?: Micros | undefined;
  to?: Micros | undefined;
  /** Where the previous page ended. */
  below?: Place | undefined;
  limit: number;
}

/** A page of the timeline. `entries` are the events among its items. */
export async function readTimeline(
  pool: Pool,
  player: TimelinePlayer,
  query: TimelineQuery,
): Promise<{ items: TimelineItem[]; entries: JournalEntry[]; end: Place | null }> {
  const reading: Reading = { pool, ...player, query, entries: [], codes: undefined };
  const read: Placed[][] = [];
  for (const source of sources) {
    if (!isWanted(source, query)) continue;
    const page = pageOfSource(source, { ...query, limit: query.limit + 1 });
    read.push((await readers[source](reading, page)).map((found) => ({ ...found, source })));
  }
  const { items, end } = mergeSources(read, query.limit);
  const events = items.filter(({ type }) => type === 'event').length;
  return { items, entries: reading.entries.slice(0, events), end };
}

/** The type of the items of each source. */
const typeOf = (source: Source): TimelineItem['type'] =>
  source === 'ended_run' ? 'run' : source === 'elsewhere' ? 'message' : source;

const isOther = (kind: string): boolean => kind === 'effect' || sources.some((source) => typeOf(source) === kind);

function isWanted(source: Source, { kind, verdict }: TimelineQuery): boolean {
  if (source === 'event') return kind === undefined || !isOther(kind);
  if (verdict !== undefined) return false;
  return kind === undefined || kind === typeOf(source) || (kind === 'effect' && source !== 'staff');
}

interface Reading extends TimelinePlayer {
  pool: Pool;
  query: TimelineQuery;
  /** The events that were read. */
  entries: JournalEntry[];
  /** The codes of the brand's campaigns, once they are read. */
  codes: ReadonlyMap<number, string> | undefined;
}

type Found = Pick<Placed, 'item' | 'key'>;

const readers: Record<Source, (reading: Reading, page: TimePage) => Promise<Found[]>> = {
  async event(reading, page) {
    const { kind, verdict } = reading.query;
    const before = page.before && `${page.before.at}:${page.before.key}`;
    const filter = {
      // `isWanted` admits no other kinds.
      ...(kind !== undefined && { kinds: [kind as EventKind] }),
      ...(verdict !== undefined && { verdicts: [verdict] }),
      from: page.from,
      to: page.to,
    };
    const { entries } = await timeline(reading.pool, reading.playerId, filter, page.limit, before);
    reading.entries = entries;
    return entries.map((entry) => ({ item: eventItem(entry), key: positionName(entry.position) }));
  },
  async refresh({ pool, playerId }, page) {
    const items = refreshItems((await readSyncedPlayer(pool, playerId)).sync);
    return items
      .map((item) => ({ item, key: `${item.look_up} ${item.outcome}` }))
      .filter(isIn(page))
      .toSorted(newestFirst);
  },
  async change({ pool, playerId }, page) {
    const rows = await playerWriteBacks(pool, playerId, page);
    return rows.map((row) => ({ item: changeItem(row), key: row.item_id }));
  },
  async transition({ pool, playerId }, page) {
    const rows = await playerTransitions(pool, playerId, page);
    return rows.map((row) => ({ item: transitionItem(row), key: row.transition_id }));
  },
  async bonus_intent({ pool, playerId }, page) {
    const rows = await playerIntents(pool, playerId, page);
    return rows.map((row) => ({ item: intentItem(row), key: row.intent_id }));
  },
  async message({ pool, playerId }, page) {
    const rows = await playerNotifications(pool, playerId, page);
    return rows.map((row) => ({ item: messageItem(row), key: row.message_id }));
  },
  async elsewhere({ pool, playerId }, page) {
    const rows = await listMessagesElsewhere(pool, playerId, page);
    return rows.map((row) => ({ item: elsewhereItem(row), key: row.message_id }));
  },
  async run(reading, page) {
    return ofRuns(reading, await playerEntries(reading.pool, reading.playerId, page), entryItem);
  },
  async ended_run(reading, page) {
    return ofRuns(reading, await playerEnds(reading.pool, reading.playerId, page), endItem);
  },
  async segment({ pool, playerId }, page) {
    const rows = await segmentTransitions.ofPlayer(pool, playerId, page);
    return rows.map((row) => ({ item: segmentItem(row), key: row.transition_id }));
  },
  async tag({ pool, playerId }, page) {
    const rows = await readTagChanges(pool, playerId, page);
    return rows.map((row) => ({ item: tagItem(row), key: row.change_id }));
  },
  async decision({ pool, brandId, playerId }, { from, to, before, limit }) {
    const last = before && { decided_at: before.at, decision_id: Number(before.key) };
    const rows = await listDecisions(pool, brandId, { player_id: playerId, from, to }, limit, last);
    return rows.map((row) => ({ item: decisionItem(row), key: row.decision_id }));
  },
  async staff({ pool, brandId, playerId }, page) {
    const rows = await selectAuditOf(pool, brandId, `player ${playerId}`, page);
    return rows.map((row) => ({ item: staffItem(row), key: row.audit_id }));
  },
};

async function ofRuns(
  reading: Reading,
  runs: readonly ListedRun[],
  itemOf: (run: ListedRun, campaign: string) => RunItem,
): Promise<Found[]> {
  if (runs.length === 0) return [];
  reading.codes ??= new Map(
    (await readCampaigns(reading.pool, reading.brandId)).map(({ campaign_id, code }) => [campaign_id, code]),
  );
  const { codes } = reading;
  return runs.map((run) => ({ item: itemOf(run, codes.get(run.campaign_id) ?? ''), key: run.run_id }));
}

/** Selects a page of items that are in memory. */
const isIn =
  ({ from, to, before }: TimePage) =>
  ({ item: { at }, key }: Found): boolean =>
    (from === undefined || at >= from) &&
    (to === undefined || at <= to) &&
    (before === undefined || at < before.at || (at === before.at && key < before.key));

const newestFirst = (a: Found, b: Found): number => b.item.at - a.item.at || (a.key < b.key ? 1 : -1);
