import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { getQuarantined, listQuarantine, type QuarantineItem, type Reinjection } from '../../ingest/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { dismissQuarantined, listQuarantineEndpoint, reinjectQuarantined, showQuarantined } from './endpoints.ts';

const cursor = new CursorCodec('quarantine', Type.Object({ last_at: Type.Number(), quarantine_id: Type.Number() }));

export function quarantineRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, quarantine } = deps;

  serve(app, listQuarantineEndpoint, async ({ brand, query }) => {
    const { limit, cursor: after, ...filter } = query;
    const place = after === undefined ? undefined : cursor.decode(after);
    const rows = await listQuarantine(pool, brand.brand_id, filter, limit + 1, place);
    const { items, next } = pageFrom(rows, limit, ({ last_at, quarantine_id }) =>
      cursor.encode({ last_at, quarantine_id }),
    );
    return { items: items.map(present), next };
  });

  serve(app, showQuarantined, async ({ access, brand, params }) => {
    const item = await getQuarantined(pool, brand.brand_id, params.quarantine_id);
    if (item === undefined) throw nothingThere(params.quarantine_id);
    await record(deps, access, { action: 'quarantine.read', brand, subject: subjectOf(params) });
    const encoding: 'utf8' | 'base64' = isUtf8(item.body) ? 'utf8' : 'base64';
    return {
      ...present(item),
      body: item.body.toString(encoding),
      encoding,
      corrected_body: item.corrected_body?.toString('utf8') ?? null,
    };
  });

  serve(app, reinjectQuarantined, async ({ access, brand, params, body }) => {
    const corrected = body.body === undefined ? null : correctedBody(body.body);
    const outcome = await quarantine.reinject(brand, params.quarantine_id, access.actor, corrected);
    if (!outcome.ok) throw refusedReinjection(outcome, params.quarantine_id);
    const details = { corrected: corrected !== null };
    await record(deps, access, { action: 'quarantine.reinjected', brand, subject: subjectOf(params), details });
    return { state: 'reinjected' as const };
  });

  serve(app, dismissQuarantined, async ({ access, brand, params, body }) => {
    const outcome = await quarantine.dismiss(brand, params.quarantine_id, access.actor, body.note);
    if (outcome === 'not_found') throw nothingThere(params.quarantine_id);
    if (outcome === 'not_open') throw decidedAlready(params.quarantine_id);
    await record(deps, access, { action: 'quarantine.dismissed', brand, subject: subjectOf(params) });
    return { state: 'dismissed' as const };
  });
}

function present(item: QuarantineItem) {
  return {
    quarantine_id: item.quarantine_id,
    kind: item.kind,
    user_id: item.user_id,
    reasons: item.reasons,
    tries: item.tries,
    first_at: momentText(item.first_at),
    last_at: momentText(item.last_at),
    state: item.state,
    resolved_at: momentTextOrNull(item.resolved_at),
    resolved_by: item.resolved_by,
    note: item.note,
  };
}

/** Text is the event itself. An object was parsed without rounding a number, so writing it out again loses nothing. */
function correctedBody(body: string | Record<string, unknown>): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
}

function subjectOf({ quarantine_id }: { quarantine_id: number }): string {
  return `quarantine ${quarantine_id}`;
}

function refusedReinjection(outcome: Exclude<Reinjection, { ok: true }>, quarantineId: number): Refused {
  switch (outcome.why) {
    case 'not_found':
      return nothingThere(quarantineId);
    case 'not_open':
      return decidedAlready(quarantineId);
    case 'invalid':
      return new Refused('invalid_event', 'the event is still not valid; it stays in quarantine', {
        errors: outcome.errors,
      });
    case 'store':
      return new Refused(
        outcome.refusal === 'full' ? 'queue_full' : 'store_unavailable',
        'nothing was changed; try again',
        {
          retryAfter: 1,
        },
      );
  }
}

function nothingThere(quarantineId: number): Refused {
  return new Refused('not_found', `nothing with the number ${quarantineId} is in quarantine`);
}

function decidedAlready(quarantineId: number): Refused {
  return new Refused('conflict', `somebody has decided about number ${quarantineId} already`);
}
