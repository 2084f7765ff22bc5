import { type Static, Type } from 'typebox';
import { channels, heldReasons, purposes, withheldReasons } from '../../gate/index.ts';
import { lookUps } from '../../operator/judging/index.ts';
import { Moment, Nullable } from '../routing/fields.ts';

export const outcomes = ['allowed', 'withheld', 'held'] as const;

export const answer = {
  channel: Type.Enum(channels),
  purpose: Type.Enum(purposes),
  outcome: Type.Enum(outcomes, {
    description: 'What the gate would decide now. held: more information is required',
  }),
  reason: Nullable(Type.Enum([...withheldReasons, ...heldReasons])),
  age_ms: Nullable(Type.Integer({ description: 'Age of the oldest input. Null: an input was never known' })),
  sources: Type.Array(Type.String(), { description: 'Sources of the inputs: look_up, reconciliation, staff, ...' }),
};

export const SaidInput = Type.Object({
  about: Type.Enum(['excluded', 'blocked', 'consent']),
  input: Type.String({ description: 'Such as details.is_excluded, blocks.Blocked or consents.Email' }),
  value: Nullable(Type.Boolean({ description: 'The last clear value' })),
  in_doubt: Type.Boolean({ description: 'The last answer was neither true nor false' }),
  unconfirmed: Type.Boolean({ description: 'A change made in the platform that the operator has not confirmed' }),
  counts: Type.Boolean({
    description:
      'The value that counts. If the last answer was neither true nor false, a block counts as in force, and a consent as not given',
  }),
  source: Nullable(Type.String()),
  as_of: Nullable(Moment),
});

export const FreshnessOfFact = Type.Object({
  look_up: Type.Enum(lookUps),
  as_of: Nullable(Moment),
  lack: Nullable(Type.Enum(heldReasons, { description: 'Null: recent enough' })),
});

export const DecisionInputs = Type.Object({
  said: Type.Array(SaidInput),
  freshness: Type.Array(FreshnessOfFact),
  contact: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Inputs of the rules of contact: quiet hours, counts of caps, control group, policy of the market',
    }),
  ),
});

export const DecisionShown = Type.Object({
  decision_id: Type.Integer(),
  user_id: Nullable(Type.String({ description: 'Null: the player was erased' })),
  player_id: Type.Integer(),
  channel: Type.String(),
  purpose: Type.String(),
  outcome: Type.Enum(outcomes),
  reason: Nullable(Type.String()),
  cause: Type.Object({ kind: Type.String(), id: Type.String() }),
  rule_version: Type.Integer(),
  inputs: DecisionInputs,
  age_ms: Nullable(Type.Integer()),
  decided_at: Moment,
  expires_at: Nullable(Moment),
  seal_no: Nullable(
    Type.Integer({
      description: 'The seal that covers it. Null: not sealed yet; sealing takes at most 10 s after its commit',
    }),
  ),
});

export type ShownDecision = Static<typeof DecisionShown>;
