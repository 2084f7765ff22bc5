import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable, PlayerParams } from '../routing/fields.ts';
import {
  CauseOut,
  Code,
  Name,
  RuleIn,
  Segment,
  SegmentParams,
  SegmentSaved,
  strict,
  Trace,
  Transition,
  tag,
  UserIds,
  Version,
} from './fields.ts';

const path = '/brands/:brand/segments';
const changes = { tag, may: 'segment.manage', status: 200, params: SegmentParams, answer: Segment } as const;
const reads = { method: 'GET', tag, may: 'player.read', status: 200 } as const;

export const listSegmentsEndpoint = endpoint({
  ...reads,
  may: 'brand.read',
  path,
  summary: 'The segments of a brand, with how many members each has',
  params: BrandParams,
  answer: Type.Object({ items: Type.Array(Segment), next: Type.Null() }),
});

export const createSegmentEndpoint = endpoint({
  method: 'POST',
  path,
  tag,
  summary: 'Make a segment from a rule, or from a list of user_ids',
  description: 'It begins as a draft: publish it to have its members computed.',
  may: 'segment.manage',
  conflict: 'The brand has a segment of that code',
  bodyBytes: 16 * 1024 * 1024,
  params: BrandParams,
  body: Type.Object(
    {
      code: Code,
      name: Name,
      rule: Type.Optional(RuleIn),
      user_ids: Type.Optional(UserIds),
      include_protected: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  status: 201,
  answer: SegmentSaved,
});

export const readSegmentEndpoint = endpoint({
  ...reads,
  may: 'brand.read',
  path: `${path}/:code`,
  summary: 'One segment: its rule, state and size, and its draft',
  params: SegmentParams,
  answer: Segment,
});

export const changeSegmentEndpoint = endpoint({
  ...changes,
  answer: SegmentSaved,
  method: 'PUT',
  path: `${path}/:code`,
  summary: 'Rename a segment, or write its draft; what is left out stays',
  description: 'The version in force stays until the draft is published and computed.',
  bodyBytes: 16 * 1024 * 1024,
  body: Type.Object(
    {
      name: Type.Optional(Name),
      rule: Type.Optional(RuleIn),
      user_ids: Type.Optional(UserIds),
      include_protected: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
});

export const deleteSegmentEndpoint = endpoint({
  method: 'DELETE',
  path: `${path}/:code`,
  tag,
  summary: 'Delete a segment with its members and its history',
  may: 'segment.manage',
  conflict: 'Segments or campaigns ask for it, or a bulk action on it is under way: the answer names them',
  params: SegmentParams,
  status: 204,
  answer: Type.Null(),
});

export const publishSegmentEndpoint = endpoint({
  ...changes,
  method: 'POST',
  path: `${path}/:code/publish`,
  summary: 'Compute the draft and let it come into force',
  description:
    'The members change silently when all players are computed; until then the version before stays in force.',
  conflict: 'There is no draft, or a version is being computed',
});

export const freezeSegmentEndpoint = endpoint({
  ...changes,
  method: 'POST',
  path: `${path}/:code/freeze`,
  summary: 'Make a draft that is the list of the members of now',
  conflict: 'No version is in force, or one is being computed',
});

export const recomputeSegmentEndpoint = endpoint({
  ...changes,
  method: 'POST',
  path: `${path}/:code/recompute`,
  summary: 'Compute the version in force again; differences are corrected and listed',
  description: 'A segment that failed is computed anew.',
  conflict: 'No version is in force',
});

export const pauseSegmentEndpoint = endpoint({
  ...changes,
  method: 'POST',
  path: `${path}/:code/pause`,
  summary: 'Leave the members as they are until the segment is resumed',
  description: 'A draft that is published meanwhile is computed once, and its members stay as they are then.',
  conflict: 'No version is in force, or one is being computed',
});

export const resumeSegmentEndpoint = endpoint({
  ...changes,
  method: 'POST',
  path: `${path}/:code/resume`,
  summary: 'Follow players again; what changed meanwhile is brought up to date silently',
  conflict: 'A version is being computed',
});

export const listMembersEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/members`,
  summary: 'The members of a segment',
  params: SegmentParams,
  query: Type.Object(
    {
      protected: Type.Optional(Type.Boolean({ description: 'Those who satisfy the rule and are protected instead' })),
      ...pageQuery,
    },
    strict,
  ),
  answer: PageOf(
    Type.Object({ user_id: Type.String(), player_id: Type.Integer(), since: Moment, protected: Type.Boolean() }),
  ),
});

const File = (description: string) => Type.Unsafe<Readable>(Type.String({ description }));

export const exportMembersCsvEndpoint = endpoint({
  ...reads,
  may: 'list.export',
  path: `${path}/:code/members.csv`,
  summary: 'All members as CSV, streamed; written to the audit',
  params: SegmentParams,
  contentType: 'text/csv; charset=utf-8; header=present',
  answer: File('RFC 4180, with a head line: user_id, since'),
});

export const exportMembersLinesEndpoint = endpoint({
  ...reads,
  may: 'list.export',
  path: `${path}/:code/members.jsonl`,
  summary: 'All members as JSON lines, streamed; written to the audit',
  params: SegmentParams,
  contentType: 'application/jsonl; charset=utf-8',
  answer: File('A line per member: user_id, since'),
});

export const listSegmentTransitionsEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/transitions`,
  summary: 'Who entered and who left, when and why; the newest first',
  params: SegmentParams,
  query: Type.Object(pageQuery, strict),
  answer: PageOf(Transition),
});

export const countTransitionsEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/transitions/days`,
  summary: 'How many entered and left on each of the last 30 days, the oldest first',
  description:
    "Days are those of the brand's time zone; silent transitions count, too. A day without transitions has two zeros.",
  params: SegmentParams,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date' }),
        entered: Type.Integer(),
        left: Type.Integer(),
      }),
    ),
    next: Type.Null(),
  }),
});

export const listVersionsEndpoint = endpoint({
  ...reads,
  may: 'brand.read',
  path: `${path}/:code/versions`,
  summary: 'Every version of a segment, the newest first',
  params: SegmentParams,
  answer: Type.Object({ items: Type.Array(Version), next: Type.Null() }),
});

export const listDifferencesEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/differences`,
  summary: 'Players whose membership a recomputation had to correct, the latest 200',
  description: 'There should be none: each is an alarm.',
  params: SegmentParams,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        user_id: Type.String(),
        player_id: Type.Integer(),
        found_at: Moment,
        is_member: Type.Boolean({ description: 'What the recomputation says' }),
      }),
    ),
    next: Type.Null(),
  }),
});

export const readPlayerInSegmentEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/players/:user_id`,
  summary: 'Whether a player is a member, since when and why, and what each condition finds now',
  params: Type.Object({ ...SegmentParams.properties, user_id: Type.String({ minLength: 1 }) }),
  answer: Type.Object({
    member: Type.Boolean(),
    protected: Type.Boolean({ description: 'Satisfies the rule, and is excluded or blocked' }),
    since: Nullable(Moment),
    cause: Nullable(CauseOut),
    trace: Trace,
  }),
});

export const listPlayerSegmentsEndpoint = endpoint({
  ...reads,
  path: '/brands/:brand/players/:user_id/segments',
  summary: 'The segments that a player is a member of, and the latest transitions',
  params: PlayerParams,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({ code: Type.String(), name: Type.String(), version: Type.Integer(), since: Moment }),
    ),
    transitions: Type.Array(Transition),
    tags: Type.Array(Type.Object({ tag: Type.String(), tagged_at: Moment, tagged_by: Type.String() })),
    next: Type.Null(),
  }),
});

export const listTagsEndpoint = endpoint({
  ...reads,
  may: 'brand.read',
  path: '/brands/:brand/tags',
  summary: 'The tags of a brand, with how many players have each',
  params: BrandParams,
  answer: Type.Object({
    items: Type.Array(Type.Object({ tag: Type.String(), players: Type.Integer() })),
    next: Type.Null(),
  }),
});

export const tagPlayerEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/tags',
  tag,
  summary: 'Set a tag of a player, or take it away',
  may: 'player.tag',
  params: BrandParams,
  body: Type.Object(
    {
      user_id: Type.String({ minLength: 1 }),
      tag: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' }),
      action: Type.Enum(['add', 'remove']),
    },
    strict,
  ),
  status: 200,
  answer: Type.Object({ changed: Type.Boolean({ description: 'False: it was so already' }) }),
});
