import { Type } from 'typebox';
import { emailStates, entryStates, notificationStates } from '../../channels/index.ts';
import { BrandParams, Moment, Nullable } from '../routing/fields.ts';

export const strict = { additionalProperties: false };

export const tag = 'Messages';

export const events = ['message', 'shoutout', 'inbox'] as const;

export const State = Type.Enum([...notificationStates]);
/** States of site messages, of sent messages, and of list entries. */
export const AnyState = Type.Enum([...new Set([...notificationStates, ...emailStates, ...entryStates])]);

export const MessageParams = Type.Object({
  brand: BrandParams.properties.brand,
  message_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});

export const RecallShown = Type.Object({
  recall_id: Type.Integer(),
  campaign_id: Type.String(),
  state: Type.Enum(['running', 'done']),
  withdrawn: Type.Integer({ description: 'Removed from inboxes so far' }),
  dropped: Type.Integer({ description: 'Cancelled before they were shown, so far' }),
  requested_at: Moment,
  requested_by: Type.String(),
  finished_at: Nullable(Moment),
});
