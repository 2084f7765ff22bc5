import { isUtf8 } from 'node:buffer';
import { type FieldError, operatorEventKinds } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { getQuarantined, listQuarantine, type QuarantineItem, type Reinjection } from '../../ingest/index.ts';
import type { Language } from '../../language.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { wordsOfField } from '../routing/wrong-fields.ts';

const states = ['open', 'reinjected', 'dismissed'] as const;

const Reasons = Type.Array(Type.Object({ path: Type.String(), rule: Type.String(), message: Type.String() }));

const Item = Type.Object({
  quarantine_id: Type.Integer(),
  kind: Type.Enum(operatorEventKinds),
  user_id: Nullable(Type.String({ description: 'Null if it could not be read' })),
  reasons: Type.Array(Type.Object({ path: Type.String(), rule: Type.String(), message: Type.String() }), {
    description: 'Why the event was not accepted, as answered to its sender',
  }),
  tries: Type.Integer({ description: 'Number of times that this exact body was sent' }),
  first_at: Moment,
  last_at: Moment,
  state: Type.Enum(states),
  resolved_at: Nullable(Moment),
  resolved_by: Nullable(Type.String()),
  note: Nullable(Type.String()),
});

/** Enough for the largest body that ingest accepts, quoted as JSON text inside another body. */
const reinjectBodyBytes = 3 * 1024 * 1024;

const ItemParams = Type.Object({ ...BrandParams.properties, quarantine_id: Type.Integer() });

const body = (description: string) => Type.String({ description });

export const listQuarantineEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/quarantine',
  tag: 'Quarantine',
  summary: 'Events that could not be accepted, latest try first',
  may: 'event.read',
  params: BrandParams,
  query: Type.Object(
    {
      state: Type.Optional(Type.Enum(states)),
      kind: Type.Optional(Type.Enum(operatorEventKinds)),
      user_id: Type.Optional(Type.String()),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Item),
});

export const showQuarantined = endpoint({
  method: 'GET',
  path: '/brands/:brand/quarantine/:quarantine_id',
  tag: 'Quarantine',
  summary: 'One event with its body, unmasked',
  description: 'The body is not masked, because it is needed for a correction. The call is written to the audit.',
  may: 'event.repair',
  params: ItemParams,
  status: 200,
  answer: Type.Object({
    ...Item.properties,
    body: body('The body as sent'),
    encoding: Type.Enum(['utf8', 'base64'], { description: 'base64 if the body is not UTF-8' }),
    corrected_body: Nullable(body('The corrected body that was re-injected')),
  }),
});

export const reinjectQuarantined = endpoint({
  method: 'POST',
  path: '/brands/:brand/quarantine/:quarantine_id/reinject',
  tag: 'Quarantine',
  summary: 'Re-inject the event, unchanged or corrected',
  description:
    'Uses the same validation and the same rules of order as the event endpoint. If the body is still invalid, the answer is 400 with its errors, and the item stays open.',
  may: 'event.repair',
  conflict: 'The item is already resolved',
  params: ItemParams,
  body: Type.Object(
    {
      body: Type.Optional(
        Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())], {
          description: 'The corrected event: JSON text, stored byte by byte, or an object. Default: the body as sent',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  bodyBytes: reinjectBodyBytes,
  status: 200,
  answer: Type.Object({ state: Type.Literal('reinjected') }),
});

export const checkQuarantined = endpoint({
  method: 'POST',
  path: '/brands/:brand/quarantine/:quarantine_id/check',
  tag: 'Quarantine',
  summary: 'Check a corrected body, as a re-injection would. Nothing is written',
  may: 'event.repair',
  params: ItemParams,
  body: Type.Object(
    { body: Type.String({ description: 'The corrected event: JSON text' }) },
    { additionalProperties: false },
  ),
  bodyBytes: reinjectBodyBytes,
  status: 200,
  answer: Type.Object({ errors: Reasons }),
});

export const dismissQuarantined = endpoint({
  method: 'POST',
  path: '/brands/:brand/quarantine/:quarantine_id/dismiss',
  tag: 'Quarantine',
  summary: 'Dismiss the event with a reason',
  may: 'event.repair',
  conflict: 'The item is already resolved',
  params: ItemParams,
  body: Type.Object(
    { note: Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' }) },
    { additionalProperties: false },
  ),
  status: 200,
  answer: Type.Object({ state: Type.Literal('dismissed') }),
});

const cursor = new CursorCodec('quarantine', Type.Object({ last_at: Type.Number(), quarantine_id: Type.Number() }));

export function quarantineRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, quarantine } = deps;

  serve(app, listQuarantineEndpoint, async ({ brand, query, language }) => {
    const { limit, cursor: after, ...filter } = query;
    const place = cursor.decode(after);
    const rows = await listQuarantine(pool, brand.brand_id, filter, limit + 1, place);
    const { items, next } = pageFrom(rows, limit, ({ last_at, quarantine_id }) =>
      cursor.encode({ last_at, quarantine_id }),
    );
    return { items: items.map((item) => present(item, language)), next };
  });

  serve(app, showQuarantined, async ({ access, brand, params, language }) => {
    const item = await getQuarantined(pool, brand.brand_id, params.quarantine_id);
    if (item === undefined) throw nothingThere(params.quarantine_id);
    await record(deps, access, { action: 'quarantine.read', brand, subject: subjectOf(params) });
    const encoding: 'utf8' | 'base64' = isUtf8(item.body) ? 'utf8' : 'base64';
    return {
      ...present(item, language),
      body: item.body.toString(encoding),
      encoding,
      corrected_body: item.corrected_body?.toString('utf8') ?? null,
    };
  });

  serve(app, checkQuarantined, async ({ brand, params, body, language }) => {
    const errors = await quarantine.check(brand, params.quarantine_id, correctedBody(body.body));
    if (errors === undefined) throw nothingThere(params.quarantine_id);
    return { errors: explained(errors, language) };
  });

  serve(app, reinjectQuarantined, async ({ access, brand, params, body }) => {
    const corrected = body.body === undefined ? null : correctedBody(body.body);
    const details = { corrected: corrected !== null };
    const entry = { action: 'quarantine.reinjected', brand, subject: subjectOf(params), details } as const;
    const outcome = await quarantine.reinject(brand, params.quarantine_id, access.actor, corrected, (tx) =>
      record(deps, access, entry, tx),
    );
    if (!outcome.ok) throw refusedReinjection(outcome, params.quarantine_id);
    return { state: 'reinjected' as const };
  });

  serve(app, dismissQuarantined, async ({ access, brand, params, body }) => {
    const entry = { action: 'quarantine.dismissed', brand, subject: subjectOf(params) } as const;
    const outcome = await quarantine.dismiss(brand, params.quarantine_id, access.actor, body.note, (tx) =>
      record(deps, access, entry, tx),
    );
    if (outcome === 'not_found') throw nothingThere(params.quarantine_id);
    if (outcome === 'not_open') throw decidedAlready(params.quarantine_id);
    return { state: 'dismissed' as const };
  });
}

/** Errors of an event in the language of the caller. */
function explained(errors: readonly FieldError[], language: Language): FieldError[] {
  return errors.map((error) => ({ ...error, message: wordsOfField(error)[language] }));
}

function present(item: QuarantineItem, language: Language) {
  return {
    quarantine_id: item.quarantine_id,
    kind: item.kind,
    user_id: item.user_id,
    reasons: explained(item.reasons, language),
    tries: item.tries,
    first_at: momentText(item.first_at),
    last_at: momentText(item.last_at),
    state: item.state,
    resolved_at: momentTextOrNull(item.resolved_at),
    resolved_by: item.resolved_by,
    note: item.note,
  };
}

/** A text is the event itself. An object was parsed without rounding numbers, so serializing it loses nothing. */
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
      return new Refused(
        'invalid_event',
        {
          en: 'the event is still not valid; it stays in quarantine',
          de: 'Das Ereignis ist noch immer nicht gültig; es bleibt in der Quarantäne',
        },
        {
          errors: outcome.errors.map((error) => ({ ...error, message: wordsOfField(error) })),
        },
      );
    case 'store':
      return new Refused(
        outcome.refusal === 'full' ? 'queue_full' : 'store_unavailable',
        { en: 'nothing was changed; retry', de: 'Nichts wurde geändert; versuchen Sie es erneut' },
        {
          retryAfter: 1,
        },
      );
  }
}

function nothingThere(quarantineId: number): Refused {
  return new Refused('not_found', {
    en: `the quarantine has no item ${quarantineId}`,
    de: `Die Quarantäne hat keinen Eintrag ${quarantineId}`,
  });
}

function decidedAlready(quarantineId: number): Refused {
  return new Refused('conflict', {
    en: `the item ${quarantineId} is already resolved`,
    de: `Der Eintrag ${quarantineId} ist bereits erledigt`,
  });
}
