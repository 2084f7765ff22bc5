import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { countTooOld, importTooOld, listTooOld, readSealedDays, type SealedDay } from '../../derive/index.ts';
import type { LedgerDay } from '../../ledger/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { positionText, readPosition } from '../feed/position.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { momentText, readMoment } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { importTooOldEndpoint, listTooOldEndpoint, maxImported, showHistoryEndpoint } from './endpoints.ts';

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
    const after = query.cursor === undefined ? undefined : place.decode(query.cursor);
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
      throw new Refused('invalid_request', 'say which: positions, a filter, or "all": true');
    }
    const filter = { kind, user_id, from: readMoment('from', from), to: readMoment('to', to) };
    const only = positions?.map(knownPosition);
    const imported = await importTooOld(pool, brand.brand_id, filter, { only, limit: maxImported, now: clock() });
    const details = { imported, kind, from, to, positions: positions?.length };
    await record(deps, access, { action: 'too_old.imported', brand, subject: `${imported} events`, details });
    return { imported, left: await countTooOld(pool, brand.brand_id) };
  });
}

const aYear = 366 * 86_400_000_000;

function knownPosition(text: string) {
  const position = readPosition(text);
  if (position === null) throw new Refused('invalid_request', `${text} is no position of the ledger`);
  return position;
}

/** What is kept, with how far it is sealed, and what was dropped. The newest first. */
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
