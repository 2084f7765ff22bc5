import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { erasureSteps } from '../../privacy/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable, PlayerParams } from '../routing/fields.ts';

const Erasure = Type.Object({
  erasure_id: Type.Integer(),
  player_id: Type.Integer({ description: 'Stays, and names nobody any more' }),
  user_id: Nullable(Type.String({ description: 'Until it is over' })),
  user_key: Type.String({ description: 'Keyed hash of brand and user_id, in base64: the same in the audit' }),
  forced: Type.Boolean({ description: 'Does not wait for open money and consents' }),
  step: Type.Enum([...erasureSteps]),
  held_because: Nullable(Type.String({ description: 'Why it does not go on at the moment' })),
  tries: Type.Integer({ description: 'How often in a row the step was held, or failed; 0 once it went on' }),
  requested_at: Moment,
  closed_at: Nullable(Moment),
  finished_at: Nullable(Moment),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description: 'Rows that went, by table; ledger.unreadable: blocks and packs that could not be looked into',
  }),
});

export const requestErasureEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/:user_id/erasure',
  tag: 'Privacy',
  summary: 'Erase a player, for good: everything about him but counts and sums without a name',
  description:
    'A worker begins within a second. It waits for open money and consents unless `force` is set. Asked again, it is the same erasure.',
  may: 'player.erase',
  params: PlayerParams,
  body: Type.Object(
    {
      confirm: Type.String({ description: 'The user_id once more: this cannot be taken back' }),
      force: Type.Optional(
        Type.Boolean({
          description: 'Do not wait: unknown bonus intents are given up, writes to the operator dropped',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 202,
  answer: Erasure,
});

export const listErasuresEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/erasures',
  tag: 'Privacy',
  summary: 'Erasures of the brand with their progress, the newest first',
  may: 'player.erase',
  params: BrandParams,
  query: Type.Object(pageQuery, { additionalProperties: false }),
  status: 200,
  answer: PageOf(Erasure),
});

export const cancelErasureEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/erasures/:erasure_id/cancel',
  tag: 'Privacy',
  summary: 'Cancel an erasure that has not begun: 409 once it has',
  may: 'player.erase',
  conflict: 'The erasure has begun or is over',
  params: Type.Object({ ...BrandParams.properties, erasure_id: Type.Integer({ minimum: 1 }) }),
  body: Type.Optional(Type.Object({}, { additionalProperties: false })),
  status: 200,
  answer: Erasure,
});

export const exportPlayerEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/export',
  tag: 'Privacy',
  summary: 'Everything that is known of a player, as one JSON document',
  description: 'Of any length: streamed, and written to the audit. A document without its last bracket was cut off.',
  may: 'player.export',
  params: PlayerParams,
  status: 200,
  contentType: 'application/json; charset=utf-8',
  answer: Type.Unsafe<Readable>(Type.String({ description: 'user_id, player_id, tables, events' })),
});
