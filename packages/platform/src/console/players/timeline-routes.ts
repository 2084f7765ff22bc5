import type { Micros } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { type JournalEntry, type JournalFilter, type JournalPage, timeline } from '../../derive/index.ts';
import { readSyncedPlayer } from '../../operator/index.ts';
import { maskEventBody } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { describeEntries } from '../feed/read-feed.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { momentText, readMoment } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';
import { eventItem, mergeRefreshes, refreshItems, type TimelineItem } from './timeline.ts';
import { showTimeline } from './timeline-endpoints.ts';

/** `before`: the journal's token. `below`: what is newer was shown, refreshes included. */
const cursor = new CursorCodec('timeline', Type.Object({ before: Type.String(), below: Type.Number() }));

type Query = Static<typeof showTimeline.query>;

export function timelineRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, ledger } = deps;

  serve(app, showTimeline, async ({ access, brand, params, query }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    const span = { from: readMoment('from', query.from), to: readMoment('to', query.to) };
    const place = query.cursor === undefined ? undefined : cursor.decode(query.cursor);
    const page = await readEvents(deps, player.player_id, query, span, place?.before);
    const refreshes = wantsRefreshes(query) ? refreshItems((await readSyncedPlayer(pool, player.player_id)).sync) : [];
    const { items, below } = mergeRefreshes(
      page.entries.map(eventItem),
      refreshes.filter(({ at }) => isWithin(at, span)),
      place?.below ?? Number.POSITIVE_INFINITY,
      page.next === null,
    );
    const bodies = query.bodies ? await bodiesOf(ledger, brand, page.entries) : null;
    const unmasked = access.may('personal.read', brand);
    return {
      items: items.map((item) => shown(item, bodies, unmasked)),
      // Infinity has no place in JSON: a first page without events has shown nothing, so the next one begins anew.
      next: page.next && cursor.encode({ before: page.next, below: Math.min(below, Number.MAX_SAFE_INTEGER) }),
    };
  });
}

interface Span {
  from: Micros | undefined;
  to: Micros | undefined;
}

function readEvents(
  { pool }: ConsoleDeps,
  playerId: number,
  { kind, verdict, limit }: Query,
  span: Span,
  before: string | undefined,
): Promise<JournalPage> {
  if (kind === 'refresh') return Promise.resolve({ entries: [], next: null });
  const filter: JournalFilter = {
    ...(kind !== undefined && { kinds: [kind] }),
    ...(verdict !== undefined && { verdicts: [verdict] }),
    ...span,
  };
  return timeline(pool, playerId, filter, limit, before);
}

function wantsRefreshes({ kind, verdict }: Query): boolean {
  return verdict === undefined && (kind === undefined || kind === 'refresh');
}

function isWithin(at: Micros, { from, to }: Span): boolean {
  return (from === undefined || at >= from) && (to === undefined || at <= to);
}

async function bodiesOf(
  ledger: ConsoleDeps['ledger'],
  brand: Brand,
  entries: readonly JournalEntry[],
): Promise<ReadonlyMap<string, unknown>> {
  const described = await describeEntries(ledger, brand, entries);
  return new Map(described.map(({ position, body }) => [position, body]));
}

function shown(item: TimelineItem, bodies: ReadonlyMap<string, unknown> | null, unmasked: boolean) {
  if (item.type === 'refresh') return { ...item, at: momentText(item.at) };
  const event = { ...item, at: momentText(item.at), received_at: momentText(item.received_at), flags: [...item.flags] };
  if (bodies === null) return event;
  const body = bodies.get(item.position) ?? null;
  return { ...event, body: unmasked || body === null ? body : maskEventBody(item.kind, body) };
}
