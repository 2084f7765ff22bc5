import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { segmentStates } from '../../segments/membership/index.ts';
import { largestPage, namedQuery, PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable, PlayerParams } from '../routing/fields.ts';
import { revisionQuery } from '../routing/revision.ts';
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
  summary: 'The segments of a brand with their number of members, by name',
  params: BrandParams,
  query: Type.Object({ ...namedQuery, state: Type.Optional(Type.Enum([...segmentStates])) }, strict),
  answer: PageOf(Segment),
});

export const listSegmentFailuresEndpoint = endpoint({
  ...reads,
  path: '/brands/:brand/segment-failures',
  summary: 'Players whose segments cannot be updated, those who fail longest first',
  description:
    'The data of these players cannot be processed. They are tried again automatically, at most every 5 minutes. They delay no other player.',
  params: BrandParams,
  query: Type.Object(pageQuery, strict),
  answer: PageOf(
    Type.Object({
      user_id: Nullable(Type.String()),
      since: Moment,
      failed_at: Moment,
      failures: Type.Integer({ description: 'Consecutive failures' }),
      reason: Type.String({
        description: 'The latest reason. If the database refused a value, the reason does not contain it',
      }),
    }),
  ),
});

export const createSegmentEndpoint = endpoint({
  method: 'POST',
  path,
  tag,
  summary: 'Create a segment from a rule, or from a list of user_ids',
  description: 'It starts as a draft. Publish it to compute its members.',
  may: 'segment.manage',
  conflict: 'The segment already exists',
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
  summary: 'Rename a segment, or change its draft. Omitted fields keep their values',
  description:
    'The version in force stays until the draft is published and computed. With `version`, the draft becomes a copy of an earlier version: its rule or its list, and its `include_protected`.',
  conflict:
    '`revision` is no longer current: another person changed the segment. Or the list of `version` is no longer stored, because another version replaced it',
  query: Type.Object(revisionQuery, strict),
  bodyBytes: 16 * 1024 * 1024,
  body: Type.Object(
    {
      name: Type.Optional(Name),
      rule: Type.Optional(RuleIn),
      user_ids: Type.Optional(UserIds),
      include_protected: Type.Optional(Type.Boolean()),
      version: Type.Optional(
        Type.Integer({ minimum: 1, description: 'An earlier version to copy, instead of `rule` or `user_ids`' }),
      ),
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
  conflict: 'Segments or campaigns use it, or a bulk action on it is running. The answer names them',
  params: SegmentParams,
  status: 204,
  answer: Type.Null(),
});

export const publishSegmentEndpoint = endpoint({
  ...changes,
  method: 'POST',
  path: `${path}/:code/publish`,
  summary: 'Compute the draft and put it into force',
  description:
    'The members change after all players are computed. Until then, the previous version stays in force. Campaigns start only with `starts_campaigns`. Segments whose rules use this one change without starting campaigns.',
  conflict: 'There is no draft, a version is being computed, or `revision` is no longer current',
  query: Type.Object(
    {
      ...revisionQuery,
      starts_campaigns: Type.Optional(
        Type.Boolean({
          description:
            'Whether campaigns start for the players who enter or leave because the version comes into force. For the first version, all its members enter. Default: false. `GET segments/:code/draft/difference` has the number of players',
        }),
      ),
    },
    strict,
  ),
});

export const cancelSegmentEndpoint = endpoint({
  ...changes,
  method: 'POST',
  path: `${path}/:code/cancel`,
  summary: 'Cancel the computation of a new version. It becomes a draft again, or past if there is a newer draft',
  description:
    'The previous version stays in force, and no player enters or leaves. If there is a newer draft, that draft stays, and the cancelled version becomes `past`. Its rule or its list stays stored. A recomputation of a version that was already in force cannot be cancelled.',
  conflict: 'No new version is being computed',
});

export const freezeSegmentEndpoint = endpoint({
  ...changes,
  method: 'POST',
  path: `${path}/:code/freeze`,
  summary: 'Create a draft that lists the current members',
  description: 'If the segment has a draft, pass `revision`: the list replaces that draft.',
  conflict:
    'No version is in force, one is being computed, the segment has a draft and `revision` was not passed, or `revision` is no longer current',
  query: Type.Object(revisionQuery, strict),
});

export const recomputeSegmentEndpoint = endpoint({
  ...changes,
  method: 'POST',
  path: `${path}/:code/recompute`,
  summary: 'Recompute the version in force. Differences are corrected and listed',
  description: 'The version of a failed segment is computed from scratch.',
  conflict: 'No version is in force, or a version that replaces the failed one is being computed',
});

export const pauseSegmentEndpoint = endpoint({
  ...changes,
  method: 'POST',
  path: `${path}/:code/pause`,
  summary: 'Pause a segment. Its members do not change until it is resumed',
  description: 'A draft published meanwhile is computed once, and its members then stay unchanged.',
  conflict: 'No version is in force, or one is being computed',
});

export const resumeSegmentEndpoint = endpoint({
  ...changes,
  method: 'POST',
  path: `${path}/:code/resume`,
  summary: 'Resume a segment. Changes made meanwhile are applied, and start no campaigns',
  conflict: 'A version is being computed',
});

/** As in the list of players. */
const PersonalText = Nullable(
  Type.String({ description: 'Masked for callers who may not see personal data. Null: unknown' }),
);

const Member = Type.Object({
  user_id: Type.String(),
  player_id: Type.Integer(),
  first_name: PersonalText,
  last_name: PersonalText,
  country: Nullable(Type.String()),
  since: Moment,
  protected: Type.Boolean(),
});

export const listMembersEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/members`,
  summary: 'The members of a segment',
  params: SegmentParams,
  query: Type.Object(
    {
      protected: Type.Optional(
        Type.Boolean({ description: 'true: players who satisfy the rule but are protected, instead of the members' }),
      ),
      ...pageQuery,
    },
    strict,
  ),
  answer: PageOf(Member),
});

export const listOverlapEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/overlap`,
  summary: 'The members of a segment who are, or are not, members of another one',
  description:
    'Excluded and blocked players are left out. A page may have fewer items than requested, or none, although there are more. Only a null `next` marks the end.',
  params: SegmentParams,
  query: Type.Object(
    {
      other: Type.String({ minLength: 1, description: 'Code of the other segment' }),
      part: Type.Enum(['both', 'only'], {
        default: 'both',
        description: 'both: members of both segments. only: members of this segment only',
      }),
      ...pageQuery,
    },
    strict,
  ),
  answer: PageOf(Member),
});

const File = (description: string) => Type.Unsafe<Readable>(Type.String({ description }));

export const exportMembersCsvEndpoint = endpoint({
  ...reads,
  may: 'list.export',
  path: `${path}/:code/members.csv`,
  summary: 'All members as streamed CSV. The call is written to the audit',
  conflict: 'The members were never computed: the segment is a draft, or its first version is being computed',
  params: SegmentParams,
  contentType: 'text/csv; charset=utf-8; header=present',
  answer: File('RFC 4180, with a header line: user_id, since'),
});

export const exportMembersLinesEndpoint = endpoint({
  ...reads,
  may: 'list.export',
  path: `${path}/:code/members.jsonl`,
  summary: 'All members as streamed JSON lines. The call is written to the audit',
  conflict: 'The members were never computed: the segment is a draft, or its first version is being computed',
  params: SegmentParams,
  contentType: 'application/jsonl; charset=utf-8',
  answer: File('One line per member: user_id, since'),
});

export const listSegmentTransitionsEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/transitions`,
  summary: 'Who entered and left, when and why, newest first',
  params: SegmentParams,
  query: Type.Object(pageQuery, strict),
  answer: PageOf(Transition),
});

export const countTransitionsEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/transitions/days`,
  summary: 'Players who entered and left on each of the last 30 days, oldest first',
  description:
    "Days are in the brand's time zone. Silent transitions count too. A day without transitions has two zeros.",
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
  summary: 'Every version of a segment, newest first',
  params: SegmentParams,
  answer: Type.Object({ items: Type.Array(Version), next: Type.Null() }),
});

export const listDifferencesEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/differences`,
  summary: 'Players whose membership a recomputation corrected, the latest 200',
  description: 'The list should be empty. Each entry is an alarm.',
  params: SegmentParams,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        user_id: Type.String(),
        player_id: Type.Integer(),
        found_at: Moment,
        is_member: Type.Boolean({ description: 'Result of the recomputation' }),
      }),
    ),
    next: Type.Null(),
  }),
});

export const readPlayerInSegmentEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/players/:user_id`,
  summary: 'Whether a player is a member, since when and why, with the actual value for each condition',
  params: Type.Object({ ...SegmentParams.properties, user_id: Type.String({ minLength: 1 }) }),
  answer: Type.Object({
    member: Type.Boolean(),
    protected: Type.Boolean({ description: 'Satisfies the rule, but is excluded or blocked' }),
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
  query: Type.Object(
    {
      name: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'A part of the tag; letter case is ignored' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: largestPage, description: 'Only the first tags. Default: all' }),
      ),
    },
    strict,
  ),
  answer: Type.Object({
    items: Type.Array(Type.Object({ tag: Type.String(), players: Type.Integer() })),
    next: Type.Null(),
  }),
});

export const tagPlayerEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/tags',
  tag,
  summary: 'Set or remove a tag of a player',
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
  answer: Type.Object({ changed: Type.Boolean({ description: 'False: nothing changed' }) }),
});
