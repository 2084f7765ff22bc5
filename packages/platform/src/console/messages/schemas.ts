import { messageReports } from '@croupier/contracts';
import { Type } from 'typebox';
import { emailStates, entryStates, notificationStates, type ShownReport } from '../../channels/index.ts';
import { maskText } from '../access/masking.ts';
import { BrandParams, Moment, momentText, Nullable } from '../routing/fields.ts';

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

/** The reports about a sent message. */
export const Reports = Type.Array(
  Type.Object({
    what: Type.Enum([...messageReports]),
    at: Moment,
    reason: Type.String({ description: 'Of a bounce. Masked for callers who may not see personal data' }),
    link: Type.String({ description: 'The clicked link. Masked for callers who may not see personal data' }),
  }),
  { description: 'Deliveries, opens, clicks, bounces and other reports, newest first; at most 100, kept for 90 days' },
);

export function presentReports(reports: readonly ShownReport[], unmasked: boolean) {
  return reports.map(({ what, at, reason, link }) => ({
    what,
    at: momentText(at),
    reason: unmasked ? reason : (maskText(reason) ?? ''),
    link: unmasked ? link : (maskText(link) ?? ''),
  }));
}
