import { Type } from 'typebox';
import { Moment, Nullable } from '../routing/fields.ts';

export const Text = Nullable(Type.String());

const Flag = Nullable(Type.Boolean());

/** The user details record of docs/reference/interface.md; each field is null until the operator has sent it. */
export const Profile = Type.Object({
  address: Text,
  birth_date: Text,
  city: Text,
  country: Text,
  currency: Text,
  email: Text,
  first_name: Text,
  is_blocked: Flag,
  is_excluded: Flag,
  language: Text,
  last_name: Text,
  mobile: Text,
  mobile_prefix: Text,
  origin: Text,
  postal_code: Text,
  roles: Nullable(Type.Array(Type.String())),
  sex: Text,
  title: Text,
  username: Text,
  verified_at: Nullable(Moment),
  registration_code: Text,
  registration_date: Nullable(Moment),
  affiliate_reference: Text,
  market: Text,
  segmentation: Type.Record(Type.String(), Type.Unknown()),
  extra: Type.Record(Type.String(), Type.Unknown(), { description: 'Fields that are not part of the interface' }),
  as_of: Nullable(Moment),
  source: Type.String(),
  older: Type.Record(Type.String(), Moment, {
    description: 'Fields whose last value was unusable, with the time of the value in use',
  }),
  in_doubt: Type.Array(Type.Enum(['is_blocked', 'is_excluded']), {
    description: 'Flags whose last value was not a boolean. They count as true',
  }),
});

export const Consent = Type.Object({
  type: Type.String({ examples: ['Email'] }),
  opted_in: Nullable(Type.Boolean({ description: 'Null: unknown. It counts as not given' })),
  in_doubt: Type.Boolean(),
  as_of: Nullable(Moment),
  source: Text,
});

export const Block = Type.Object({
  type: Type.String({ examples: ['Excluded'] }),
  active: Nullable(Type.Boolean()),
  note: Text,
  in_doubt: Type.Boolean({ description: 'The last value was neither true nor false. It counts as in force' }),
  as_of: Nullable(Moment),
  source: Text,
});

const SyncError = Type.Object({
  at: Moment,
  look_up: Type.String(),
  reason: Type.String(),
  detail: Type.String(),
});

const states = ['never', 'waiting', 'refreshing', 'current', 'retrying', 'details_missing'] as const;

const LookUp = Type.Object({
  state: Type.Enum(states),
  as_of: Nullable(Moment),
  attempts: Type.Integer({ description: 'Failures in a row' }),
  due_at: Nullable(Moment),
  failing_since: Nullable(Moment),
  last_error: Nullable(SyncError),
});

export const Sync = Type.Object({
  state: Type.Enum(states, { description: 'The worst state of the three look-ups' }),
  last_success: Nullable(Moment),
  last_error: Nullable(SyncError),
  look_ups: Type.Object({ details: LookUp, consents: LookUp, blocks: LookUp }),
  problems: Type.Array(
    Type.Object({
      look_up: Type.String(),
      path: Type.String(),
      reason: Type.String(),
      message: Type.String(),
      since: Moment,
    }),
    { description: 'Parts of the last answers that could not be used' },
  ),
});
