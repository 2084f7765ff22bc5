import { endpoints, eventKinds, flagMeanings } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { journalDaysKept, type ListedParking, listParked } from '../../derive/index.ts';
import type { Language } from '../../language.ts';
import { maskEventBody } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { inLanguage } from '../language/translate.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import {
  BrandParams,
  MicrosShape,
  Moment,
  momentText,
  momentTextOrNull,
  Nullable,
  readMoment,
  timeRange,
} from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { wordsOfField } from '../routing/wrong-fields.ts';
import type { DescribedEvent } from './described-event.ts';
import { verdictMeanings } from './meanings.ts';
import { positionText } from './position.ts';
import { feedEventAt, readFeed } from './read-feed.ts';
import { EventSummary, soughtVerdicts } from './schemas.ts';
import { withGameNames } from './with-game-names.ts';

export const listFeed = endpoint({
  method: 'GET',
  path: '/brands/:brand/feed',
  tag: 'Feed',
  summary: 'Every accepted event, newest first, without sampling',
  description:
    'A page may have fewer items than requested, or none, although there are more. Only a null `next` marks the end. Refused events are in quarantine.',
  may: 'event.read',
  params: BrandParams,
  query: Type.Object(
    {
      kind: Type.Optional(Type.Enum(eventKinds)),
      user_id: Type.Optional(Type.String()),
      origin: Type.Optional(Type.String()),
      verdict: Type.Optional(
        Type.Enum(soughtVerdicts, {
          description: `Covers the last ${journalDaysKept} days. Earlier events have the verdict past`,
        }),
      ),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Type.Object(EventSummary)),
});

export const showEvent = endpoint({
  method: 'GET',
  path: '/brands/:brand/feed/:position',
  tag: 'Feed',
  summary: 'One event with its body and its verdict',
  may: 'event.read',
  params: Type.Object({ ...BrandParams.properties, position: Type.String() }),
  status: 200,
  answer: Type.Object({
    ...EventSummary,
    request: Type.Object({ method: Type.String(), path: Type.String() }, { description: 'The call that delivered it' }),
    body: Type.Unknown({ description: 'As sent. Personal data is masked for roles that may not see it' }),
    body_text: Nullable(
      Type.String({ description: 'The body as text, exactly as received. Null if something is masked' }),
    ),
    derived: Type.Object(
      {
        flags: Type.Array(Type.Object({ flag: Type.String(), meaning: Type.String() })),
        meaning: Type.String({ description: 'Explanation of the verdict' }),
      },
      { description: 'Its state' },
    ),
  }),
});

const Parked = Type.Object({
  user_id: Nullable(Type.String({ description: 'Null if the event cannot be read' })),
  cause: Type.Enum(['unreadable', 'failing'], {
    description: 'unreadable: the events cannot be read. failing: applying them causes an error',
  }),
  reason: Type.String(),
  parked_at: Moment,
  attempts: Type.Integer(),
  retry_at: Moment,
  events: Type.Integer({ description: 'Events that wait' }),
  oldest: Type.Object({ kind: Type.String(), position: Type.String(), received_at: Moment }),
});

export const listParkedEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/parked',
  tag: 'Feed',
  summary: 'Events that cannot currently be applied, by player and cause, oldest first',
  description: 'They are retried automatically.',
  may: 'event.read',
  params: BrandParams,
  query: Type.Object(pageQuery, { additionalProperties: false }),
  status: 200,
  answer: PageOf(Parked),
});

/** Wraps the page token of ledger or journal. It includes the filter's verdict, which decides which of the two is read. */
const cursor = new CursorCodec(
  'feed',
  Type.Object({ verdict: Type.Union([Type.String(), Type.Null()]), before: Type.String() }),
);

const parkedCursor = new CursorCodec(
  'parked',
  Type.Object({
    parked_at: MicrosShape,
    player_hash: Type.String({ pattern: '^[0-9]{1,20}$' }),
    cause: Type.Enum(['unreadable', 'failing']),
  }),
);

export function feedRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  serve(app, listFeed, async ({ brand, query, language }) => {
    const { limit, kind, user_id, origin, verdict } = query;
    const place = cursor.decode(query.cursor);
    if (place !== undefined && place.verdict !== (verdict ?? null)) {
      throw new Refused('invalid_request', {
        en: 'the cursor belongs to a list with another verdict',
        de: 'Der Cursor gehört zu einer Liste mit einem anderen Ergebnis',
      });
    }
    const filter = {
      kind,
      user_id,
      origin,
      verdict,
      from: readMoment('from', query.from),
      to: readMoment('to', query.to),
    };
    const page = await readFeed(deps, brand, filter, { limit, before: place?.before });
    const items = await withGameNames(deps.pool, brand.brand_id, page.items);
    const { next } = page;
    return {
      items: items.map((each) => summaryOf(each, language)),
      next: next === null ? null : cursor.encode({ verdict: verdict ?? null, before: next }),
    };
  });

  serve(app, showEvent, async ({ access, brand, params, language }) => {
    const found = await feedEventAt(deps, brand, params.position);
    const { event } = found;
    const [described = found.described] = await withGameNames(deps.pool, brand.brand_id, [found.described]);
    const unmasked = access.may('personal.read', brand);
    return {
      ...summaryOf(described, language),
      request: requestOf(described),
      body: unmasked ? described.body : maskEventBody(described.kind, described.body),
      body_text: unmasked ? event.body.toString('utf8') : null,
      derived: {
        flags: described.flags.map((flag) => ({ flag, meaning: inLanguage(flagMeanings[flag], language) })),
        meaning: inLanguage(verdictMeanings[described.verdict], language),
      },
    };
  });

  serve(app, listParkedEndpoint, async ({ brand, query: { limit, cursor } }) => {
    const after = parkedCursor.decode(cursor);
    const parked = await listParked(deps.pool, brand.brand_id, limit + 1, after);
    const { items, next } = pageFrom(parked, limit, ({ place }) => parkedCursor.encode(place));
    return { items: items.map(presentParked), next };
  });
}

function presentParked({ parked_at, retry_at, oldest, place: _, brand_id: __, ...parked }: ListedParking) {
  const { kind, position, received_at } = oldest;
  return {
    ...parked,
    parked_at: momentText(parked_at),
    retry_at: momentText(retry_at),
    oldest: { kind, position: positionText(position), received_at: momentText(received_at) },
  };
}

/** The event as shown in lists, with times as text. */
export function summaryOf(event: DescribedEvent, language: Language) {
  return {
    position: event.position,
    kind: event.kind,
    user_id: event.user_id,
    player_id: event.player_id,
    origin: event.origin,
    timestamp: momentTextOrNull(event.timestamp),
    received_at: momentText(event.received_at),
    publish_delay_ms: event.timestamp === null ? null : (event.received_at - event.timestamp) / 1_000,
    verdict: event.verdict,
    flags: [...event.flags],
    remarks: event.remarks.map((remark) => ({ ...remark, message: wordsOfField(remark)[language] })),
    summary: event.summary?.(language) ?? null,
  };
}

function requestOf({ kind }: DescribedEvent): { method: string; path: string } {
  const endpoint = endpoints.find((each) => each.kind === kind);
  return { method: endpoint?.method ?? 'POST', path: endpoint?.path ?? '' };
}
