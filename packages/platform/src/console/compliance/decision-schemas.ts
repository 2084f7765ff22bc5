import { Type } from 'typebox';
import { channels, heldReasons, purposes, rulingReasons, withheldReasons } from '../../gate/index.ts';
import { timeRange } from '../routing/fields.ts';

export const decisionFilters = {
  user_id: Type.Optional(Type.String({ minLength: 1, description: 'Decisions about one player' })),
  player_id: Type.Optional(
    Type.Integer({ description: 'Decisions about one player, by player_id. Also finds erased players' }),
  ),
  outcome: Type.Optional(Type.Enum(['allowed', 'withheld', 'held'])),
  channel: Type.Optional(Type.Enum(channels)),
  purpose: Type.Optional(Type.Enum(purposes)),
  reason: Type.Optional(Type.Enum([...withheldReasons, ...heldReasons, ...rulingReasons])),
  cause_id: Type.Optional(Type.String({ minLength: 1, description: 'Decisions for one intent or message' })),
  ...timeRange,
};
