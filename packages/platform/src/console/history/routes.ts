import { eventKinds } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../database/index.ts';
import { countTooOld, importTooOld, listTooOld, readSealedDays, type SealedDay } from '../../derive/index.ts';
import type { LedgerDay } from '../../ledger/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { positionText, readPosition } from '../feed/position.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, Nullable, readMoment, timeRange } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';

/** Maximum number of events per call; the answer contains the number imported, and the call can be repeated for more. */
export const maxImported = 10_000;

const Day = Type.Object({
  day: Type.String({ examples: ['2026-05-01'], description: 'UTC' }),
  state: Type.Enum(['open', 'closed', 'packed', 'sealing', 'held', 'sealed', 'dropped']),
  reason: Nullable(Type.String({ description: 'Why it is held, or could not be dropped yet' })),
  since: Nullable(Moment),
  events: Nullable(Type.Integer({ description: 'Over all brands. Null until the day is packed' })),
  bytes: Nullable(Type.Integer({ description: 'Size on disk. Null once it is dropped' })),
});

export const showHistoryEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/history',
  tag: 'History',
  summary: 'Days of the ledger, which all brands share, with their state and held days',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    history_days: Type.Integer({ description: "The brand's setting" }),
    longest_history_days: Type.Integer({ description: 'The longest setting of all brands, which the ledger uses' }),
    too_old: Type.Integer({
      description: 'Events of the brand that wait for a person. 10,000 means 10,000 or more',
    }),
    days: Type.Array(Day, { description: 'Newest first. Dropped days are listed for a year' }),
  }),
});

const TooOld = Type.Object({
  position: Type.String({ description: 'Its body: brands/:brand/feed/:position' }),
  kind: Type.Enum([...eventKinds]),
  user_id: Type.String(),
  timestamp: Moment,
  received_at: Moment,
  importable: Type.Boolean({ description: 'False if its day of the ledger is about to be dropped' }),
});

const choice = {
  kind: Type.Optional(Type.Enum([...eventKinds])),
  user_id: Type.Optional(Type.String({ minLength: 1 })),
  ...timeRange,
};

export const listTooOldEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/too-old',
  tag: 'History',
  summary: 'Events older than the history of the brand, without effect, last received first',
  description: 'from and to limit the timestamps of the events.',
  may: 'event.read',
  params: BrandParams,
  query: Type.Object({ ...choice, ...pageQuery }, { additionalProperties: false }),
  status: 200,
  answer: PageOf(TooOld),
});

export const importTooOldEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/too-old/import',
  tag: 'History',
  summary: 'Import too-old events: at the given positions, or all that match',
  description: `At most ${maxImported.toLocaleString('en')} per call, oldest first. A worker applies about 200 a second. No player is contacted because of them.`,
  may: 'event.repair',
  params: BrandParams,
  body: Type.Object(
    {
      positions: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: maxImported })),
      all: Type.Optional(Type.Literal(true, { description: 'Required if neither positions nor a filter is given' })),
      ...choice,
    },
    { additionalProperties: false },
  ),
  status: 202,
  answer: Type.Object({
    imported: Type.Integer(),
    left: Type.Integer({ description: 'Remaining too-old events of the brand. 10,000 means 10,000 or more' }),
  }),
});

const place = new CursorCodec('too-old', Type.Object({ received_at: Type.Number(), position: Type.String() }));

export function historyRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, brands, history } = deps;

  serve(app, showHistoryEndpoint, async ({ brand }) => {
    const [kept, sealed, too_old] = await Promise.all([
      history.days(),
      readSealedDays(pool, clock() - aYear),
      countTooOld(pool, brand.brand_id),
    ]);
    return {
      history_days: brand.settings.history_days,
      longest_history_days: Math.max(...brands.all().map(({ settings }) => settings.history_days)),
      too_old,
      days: presentDays(kept, sealed),
    };
  });

  serve(app, listTooOldEndpoint, async ({ brand, query }) => {
    const { limit, kind, user_id, from, to } = query;
    const filter = { kind, user_id, from: readMoment('from', from), to: readMoment('to', to) };
    const after = place.decode(query.cursor);
    const rows = await listTooOld(
      pool,
      brand.brand_id,
      filter,
      limit + 1,
      after && {
        received_at: after.received_at,
        position: knownPosition(after.position),
      },
    );
    const { items, next } = pageFrom(rows, limit, ({ received_at, position }) =>
      place.encode({ received_at, position: positionText(position) }),
    );
    return {
      items: items.map(({ at, received_at, position, ...event }) => ({
        ...event,
        position: positionText(position),
        timestamp: momentText(at),
        received_at: momentText(received_at),
      })),
      next,
    };
  });

  serve(app, importTooOldEndpoint, async ({ access, brand, body }) => {
    const { positions, all, kind, user_id, from, to } = body;
    if ([positions, all, kind, user_id, from, to].every((part) => part === undefined)) {
      throw new Refused('invalid_request', {
        en: 'specify positions, a filter, or "all": true',
        de: 'Geben Sie Positionen, einen Filter oder "all": true an',
      });
    }
    const filter = { kind, user_id, from: readMoment('from', from), to: readMoment('to', to) };
    const only = positions?.map(knownPosition);
    const imported = await transaction(pool, async (tx) => {
      const events = await importTooOld(tx, brand.brand_id, filter, { only, limit: maxImported, now: clock() });
      const details = { imported: events, kind, from, to, positions: positions?.length };
      await record(deps, access, { action: 'too_old.imported', brand, subject: `${events} events`, details }, tx);
      return events;
    });
    return { imported, left: await countTooOld(pool, brand.brand_id) };
  });
}

const aYear = 366 * 86_400_000_000;

function knownPosition(text: string) {
  const position = readPosition(text);
  if (position === null)
    throw new Refused('invalid_request', {
      en: `${text} is not a position of the ledger`,
      de: `${text} ist keine Position im Ereignisbuch`,
    });
  return position;
}

/** Retained days, with how far each is sealed, and dropped days. Newest first. */
function presentDays(retained: readonly LedgerDay[], sealed: readonly SealedDay[]) {
  const byDay = new Map(sealed.map((day) => [day.day, day]));
  const days = retained.map(({ day, state, events, bytes }) => {
    const mark = byDay.get(day);
    byDay.delete(day);
    return { day, state: mark?.state ?? state, reason: mark?.reason ?? null, since: sinceOf(mark), events, bytes };
  });
  const gone = [...byDay.values()].map((mark) => {
    const { day, state, reason, events } = mark;
    return { day, state, reason, since: sinceOf(mark), events, bytes: null };
  });
  return [...days, ...gone].sort((a, b) => (a.day < b.day ? 1 : -1));
}

function sinceOf(day: SealedDay | undefined): string | null {
  return day === undefined ? null : momentText(day.dropped_at ?? day.since);
}
