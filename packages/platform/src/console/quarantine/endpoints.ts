import { operatorEventKinds } from '@croupier/contracts';
import { Type } from 'typebox';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable } from '../routing/fields.ts';

const states = ['open', 'reinjected', 'dismissed'] as const;

const Item = Type.Object({
  quarantine_id: Type.Integer(),
  kind: Type.Enum(operatorEventKinds),
  user_id: Nullable(Type.String({ description: 'Where it could be read' })),
  reasons: Type.Array(Type.Object({ path: Type.String(), rule: Type.String(), message: Type.String() }), {
    description: 'Why the event could not be accepted, as its sender was told',
  }),
  tries: Type.Integer({ description: 'Times that this very body was sent' }),
  first_at: Moment,
  last_at: Moment,
  state: Type.Enum(states),
  resolved_at: Nullable(Moment),
  resolved_by: Nullable(Type.String()),
  note: Nullable(Type.String()),
});

/** Room for a body of the largest size that ingest takes, quoted as JSON text inside another body. */
const reinjectBodyBytes = 3 * 1024 * 1024;

const ItemParams = Type.Object({ ...BrandParams.properties, quarantine_id: Type.Integer() });

const body = (description: string) => Type.String({ description });

export const listQuarantineEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/quarantine',
  tag: 'Quarantine',
  summary: 'Events that could not be accepted, the latest try first',
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
  summary: 'One of them with its body, unmasked',
  description: 'Who is to correct a body has to see it: the call is written to the audit.',
  may: 'event.repair',
  params: ItemParams,
  status: 200,
  answer: Type.Object({
    ...Item.properties,
    body: body('The body as it was sent'),
    encoding: Type.Enum(['utf8', 'base64'], { description: 'base64 when the body is not UTF-8' }),
    corrected_body: Nullable(body('What was re-injected in its place')),
  }),
});

export const reinjectQuarantined = endpoint({
  method: 'POST',
  path: '/brands/:brand/quarantine/:quarantine_id/reinject',
  tag: 'Quarantine',
  summary: 'Send it again, or a corrected body in its place',
  description:
    'Same validation and same rules of order as the event endpoint. A body that is still invalid is answered 400 with its errors, and the item stays open.',
  may: 'event.repair',
  conflict: 'Somebody has decided about this body already',
  params: ItemParams,
  body: Type.Object(
    {
      body: Type.Optional(
        Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())], {
          description:
            'The corrected event: JSON text, kept byte by byte, or an object. Absent: the body as it was sent',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  bodyBytes: reinjectBodyBytes,
  status: 200,
  answer: Type.Object({ state: Type.Literal('reinjected') }),
});

export const dismissQuarantined = endpoint({
  method: 'POST',
  path: '/brands/:brand/quarantine/:quarantine_id/dismiss',
  tag: 'Quarantine',
  summary: 'Decide that this event is not to be kept, and say why',
  may: 'event.repair',
  conflict: 'Somebody has decided about this body already',
  params: ItemParams,
  body: Type.Object(
    { note: Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' }) },
    { additionalProperties: false },
  ),
  status: 200,
  answer: Type.Object({ state: Type.Literal('dismissed') }),
});
