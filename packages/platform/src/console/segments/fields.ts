import type { Rule } from '@croupier/rules';
import { Type } from 'typebox';
import { segmentStates, versionStates } from '../../segments/membership/index.ts';
import { BrandParams, Moment, Nullable } from '../routing/fields.ts';
import { Revision } from '../routing/revision.ts';

/** Parts of the answers about segments. */
export const strict = { additionalProperties: false };
export const tag = 'Segments';

export const Code = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  description: 'Code of the segment. Rules use `segment.<code>`',
});
export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
export const RuleIn = Type.Unknown({ description: 'A rule. `POST rules/check` lists its errors' });
export const RuleOut = Nullable(Type.Unsafe<Rule>({ description: 'Null: a list of players' }));
export const UserIds = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 200_000,
  description:
    'A list of players instead of a rule. The call is refused if an id is empty or longer than 200 characters. Repeated ids count once. Unknown ids are omitted and returned in `list`',
});

export const SegmentParams = Type.Object({ ...BrandParams.properties, code: Type.String({ minLength: 1 }) });

const versionFields = {
  version: Type.Integer(),
  kind: Type.Enum(['rule', 'list']),
  rule: RuleOut,
  sentence: Type.String({ description: 'The rule, or what the list contains, in English' }),
  hash: Type.String({ description: 'Equal for rules with the same meaning. Empty for a list' }),
  include_protected: Type.Boolean({ description: 'Whether excluded and blocked players may be members' }),
  state: Type.Enum([...versionStates]),
  starts_campaigns: Type.Boolean({
    description: 'Whether campaigns start for the players who enter or leave because the version comes into force',
  }),
  reason: Nullable(Type.String({ description: 'Why the version failed' })),
  created_at: Moment,
  created_by: Type.String(),
  published_at: Nullable(Moment),
  computed_at: Nullable(Moment),
};

export const Version = Type.Object(versionFields);

export const Segment = Type.Object({
  code: Type.String(),
  name: Type.String(),
  rule: RuleOut,
  sentence: Type.String(),
  version: Type.Integer({ description: 'The version in force, else the latest version' }),
  include_protected: Type.Boolean(),
  state: Type.Enum([...segmentStates]),
  reason: Nullable(Type.String({ description: 'Why the version in `failed_version` failed' })),
  failed_version: Nullable(
    Type.Integer({
      description:
        'The version that was published last, if it failed. An earlier version can still be in force, and there can be a newer draft',
    }),
  ),
  progress: Nullable(Type.Number({ description: 'Progress from 0 to 1 while a version is being computed' })),
  can_cancel: Type.Boolean({
    description:
      'Whether `POST segments/:code/cancel` can cancel the computation: a version that was never in force is being computed',
  }),
  slowed: Type.Boolean({ description: 'True while the computation is slowed because the events need the capacity' }),
  counting: Type.Boolean({
    description:
      'True while `members` and `protected` are not known (both are 0): the first version is being computed, or a failed one is being recomputed',
  }),
  members: Type.Integer({ description: 'In the list of segments, a number of 10,000 or more can be up to 10 s old' }),
  protected: Type.Integer({ description: 'Players who satisfy the rule but are excluded or blocked' }),
  computed_at: Nullable(Moment),
  used_by: Type.Array(Type.String(), { description: 'Segments whose rules use this one' }),
  campaigns: Type.Array(Type.String(), { description: 'Campaigns that start from it or use it in a rule' }),
  draft: Nullable(Version),
  revision: Revision,
});

export const CauseOut = Type.Object(
  {
    type: Type.Enum([
      'event',
      'time',
      'record',
      'protection',
      'message',
      'offer',
      'tag',
      'segment',
      'rule',
      'recomputation',
    ]),
    at: Moment,
    id: Type.Optional(
      Type.String({ description: 'For an event: its position in the ledger. For a message or an offer: its id' }),
    ),
    kind: Type.Optional(Type.String({ description: 'For an event: its kind' })),
    source: Type.Optional(Type.String({ description: 'Source of a change of records or of protection' })),
    tag: Type.Optional(Type.String()),
    by: Type.Optional(Type.String()),
    code: Type.Optional(Type.String({ description: 'Code of a segment that the rule uses' })),
    version: Type.Optional(Type.Integer()),
  },
  { description: 'Why the player entered or left' },
);

export const SegmentSaved = Type.Object({
  ...Segment.properties,
  list: Type.Optional(
    Type.Object(
      {
        given: Type.Integer({ description: 'Distinct user_ids in the call' }),
        listed: Type.Integer({ description: 'Players of the brand among them' }),
        unknown: Type.Integer({ description: 'Ids that no player of the brand has. They are omitted' }),
        unknown_user_ids: Type.Array(Type.String(), { description: 'The first 100 of the unknown ones' }),
      },
      { description: 'Present only after a call with user_ids' },
    ),
  ),
});

export const Transition = Type.Object({
  transition_id: Type.Integer(),
  code: Type.String(),
  user_id: Nullable(Type.String()),
  transition: Type.Enum(['entered', 'left']),
  at: Moment,
  cause: CauseOut,
  version: Type.Integer(),
  silent: Type.Boolean({
    description:
      'The transition starts no campaign: a new version (unless published with `starts_campaigns`), a recomputation, an import, an old event',
  }),
});

export const Trace = Type.Array(
  Type.Object({
    path: Type.String(),
    field: Type.String(),
    operator: Type.String(),
    value: Type.Unknown(),
    actual: Type.Unknown(),
    holds: Type.Boolean(),
  }),
  { description: 'Each condition with its actual value' },
);
