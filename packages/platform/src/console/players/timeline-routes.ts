import type { Micros } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { listIntents } from '../../actions/index.ts';
import { listNotifications } from '../../channels/index.ts';
import { type JournalFilter, type JournalPage, timeline } from '../../derive/index.ts';
import { bucketOf, playerHash } from '../../ledger/index.ts';
import { readSyncedPlayer } from '../../operator/players/index.ts';
import { playerTransitions } from '../../operator/protection/index.ts';
import { listPlayerWriteBacks } from '../../operator/writeback/index.ts';
import { maskEventBody } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { DescribedEvent } from '../feed/described-event.ts';
import { describeEntries } from '../feed/read-feed.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { momentText, readMoment } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';
import {
  type BesideItem,
  changeItem,
  eventItem,
  intentItem,
  mergeBeside,
  messageItem,
  refreshItems,
  type TimelineItem,
  transitionItem,
} from './timeline.ts';
import { showTimeline } from './timeline-endpoints.ts';

/** `before`: the journal's token. `below`: what is newer was shown, what stands between events included. */
const cursor = new CursorCodec('timeline', Type.Object({ before: Type.String(), below: Type.Number() }));

type Query = Static<typeof showTimeline.query>;

export function timelineRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool } = deps;

  serve(app, showTimeline, async ({ access, brand, params, query }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    const span = { from: readMoment('from', query.from), to: readMoment('to', query.to) };
    const place = query.cursor === undefined ? undefined : cursor.decode(query.cursor);
    const page = await readEvents(deps, player.player_id, query, span, place?.before);
    const beside = await readBeside(deps, { brandId: brand.brand_id, playerId: player.player_id }, query);
    const { items, below } = mergeBeside(
      page.entries.map(eventItem),
      beside.filter(({ at }) => isWithin(at, span)),
      place?.below ?? Number.POSITIVE_INFINITY,
      page.next === null,
    );
    const bucket = bucketOf(playerHash(brand.brand_id, params.user_id));
    const events = await describeEntries(deps, brand, page.entries, bucket);
    const described = new Map(events.map((event) => [event.position, event]));
    const bodies = query.bodies ? { unmasked: access.may('personal.read', brand) } : null;
    return {
      items: items.map((item) => present(item, described, bodies)),
      // Infinity has no place in JSON: a first page without events has shown nothing, so the next one begins anew.
      next: page.next && cursor.encode({ before: page.next, below: Math.min(below, Number.MAX_SAFE_INTEGER) }),
    };
  });
}

const besideTypes = ['refresh', 'change', 'transition', 'bonus_intent', 'message'] as const;

function isBeside(kind: Query['kind']): kind is BesideItem['type'] {
  return besideTypes.some((type) => type === kind);
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
  if (isBeside(kind)) return Promise.resolve({ entries: [], next: null });
  const filter: JournalFilter = {
    ...(kind !== undefined && { kinds: [kind] }),
    ...(verdict !== undefined && { verdicts: [verdict] }),
    ...span,
  };
  return timeline(pool, playerId, filter, limit, before);
}

/** A player changes a handful of consents in a life; the list of write-backs has all of them. */
const mostChanges = 200;

async function readBeside(
  { pool }: ConsoleDeps,
  { brandId, playerId }: { brandId: number; playerId: number },
  { kind, verdict }: Query,
): Promise<BesideItem[]> {
  const wants = (name: BesideItem['type']) => verdict === undefined && (kind === undefined || kind === name);
  const refreshes = wants('refresh') ? refreshItems((await readSyncedPlayer(pool, playerId)).sync) : [];
  const changes = wants('change') ? await listPlayerWriteBacks(pool, playerId, { limit: mostChanges }) : [];
  const transitions = wants('transition') ? await playerTransitions(pool, playerId) : [];
  const filter = { player_id: playerId };
  const intents = wants('bonus_intent') ? await listIntents(pool, brandId, filter, mostChanges) : [];
  const messages = wants('message') ? await listNotifications(pool, brandId, filter, { limit: mostChanges }) : [];
  return [
    ...refreshes,
    ...changes.map(changeItem),
    ...transitions.map(transitionItem),
    ...intents.map(intentItem),
    ...messages.map(messageItem),
  ];
}

function isWithin(at: Micros, { from, to }: Span): boolean {
  return (from === undefined || at >= from) && (to === undefined || at <= to);
}

/** @param bodies null when they are not asked for */
function present(
  item: TimelineItem,
  described: ReadonlyMap<string, DescribedEvent>,
  bodies: { unmasked: boolean } | null,
) {
  if (item.type !== 'event') return { ...item, at: momentText(item.at) };
  const { summary = null, body = null } = described.get(item.position) ?? {};
  const { at, received_at, flags } = item;
  const event = { ...item, at: momentText(at), received_at: momentText(received_at), flags: [...flags], summary };
  if (bodies === null) return event;
  return { ...event, body: bodies.unmasked || body === null ? body : maskEventBody(item.kind, body) };
}
