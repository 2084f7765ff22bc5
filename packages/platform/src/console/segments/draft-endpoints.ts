import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { endpoint } from '../routing/endpoint.ts';
import { Nullable } from '../routing/fields.ts';
import { SegmentParams, tag } from './fields.ts';

const path = '/brands/:brand/segments/:code/draft';
const reads = {
  method: 'GET',
  tag,
  may: 'player.read',
  params: SegmentParams,
  status: 200,
  conflict: 'There is no draft, or its rule refers to something that no longer exists',
} as const;

const each = <Shape>(shape: Shape) => ({ enters: shape, leaves: shape, stays: shape });
const UserIds = Type.Array(Type.String());

export const readDifferenceEndpoint = endpoint({
  ...reads,
  path: `${path}/difference`,
  summary: 'Who would enter, leave and stay with the draft',
  description:
    'The counts are exact if all players can be checked within 0.8 s. Otherwise they are estimated from a random sample, with their errors. This also applies to a draft that is being computed. Excluded and blocked players are not members, so they enter only if the draft includes them.',
  tooMany: 'Too many previews are waiting. Retry after a second.',
  answer: Type.Object({
    version: Type.Integer({ description: 'Version of the draft' }),
    revision: Type.String({
      description:
        'The revision of the segment that was compared. Pass it when you publish, so that you publish what you read',
    }),
    in_force: Nullable(Type.Integer({ description: 'The version that it would replace. Null: none is in force' })),
    ...each(Type.Integer()),
    samples: Type.Object(each(UserIds), { description: 'user_ids of at most 10 players of each' }),
    exact: Type.Boolean(),
    errors: Nullable(
      Type.Object(each(Type.Integer()), {
        description: 'Error of the estimate: 19 of 20 estimates are at least this close. Null for exact counts',
      }),
    ),
    took_ms: Type.Integer(),
  }),
});

const File = (description: string) => Type.Unsafe<Readable>(Type.String({ description }));

export const exportDifferenceCsvEndpoint = endpoint({
  ...reads,
  may: 'list.export',
  path: `${path}/difference.csv`,
  summary: 'All players who would enter or leave, as streamed CSV. The call is written to the audit',
  contentType: 'text/csv; charset=utf-8; header=present',
  answer: File('RFC 4180, with a header line: user_id, change'),
});

export const exportDifferenceLinesEndpoint = endpoint({
  ...reads,
  may: 'list.export',
  path: `${path}/difference.jsonl`,
  summary: 'All players who would enter or leave, as streamed JSON lines. The call is written to the audit',
  contentType: 'application/jsonl; charset=utf-8',
  answer: File('One line per player: user_id, change'),
});
