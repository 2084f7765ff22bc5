import { eventKinds, flags } from '@croupier/contracts';
import { Type } from 'typebox';
import { verdicts } from '../../derive/index.ts';
import { Moment, Nullable } from '../routing/fields.ts';

/** `pending`: the event is stored and derive has not processed it yet. */
export const soughtVerdicts = [...verdicts, 'pending'] as const;

/** `past`: it is older than the oldest row of the journal. */
export const listedVerdicts = [...soughtVerdicts, 'past'] as const;

export const Summary = Type.String({
  description: 'One-line summary without personal data, in the language of the call (header Accept-Language: en or de)',
  examples: ['Bet of 2 EUR in Lucky Lanterns (Example Games), round 55512'],
});

/** The fields of an event in lists. */
export const EventSummary = {
  position: Type.String({ description: 'Its position in the ledger', examples: ['3-1207-14'] }),
  kind: Type.Enum(eventKinds),
  user_id: Nullable(Type.String()),
  player_id: Nullable(Type.Integer()),
  origin: Nullable(Type.String()),
  timestamp: Nullable(Moment),
  received_at: Moment,
  publish_delay_ms: Nullable(
    Type.Number({
      description: 'Time from its timestamp to its receipt. Negative if the timestamp is ahead of the clock',
    }),
  ),
  verdict: Type.Enum(listedVerdicts),
  flags: Type.Array(Type.Enum(flags)),
  remarks: Type.Array(Type.Object({ path: Type.String(), rule: Type.String(), message: Type.String() }), {
    description:
      'Fields that were ignored because of their form, and unknown fields that resemble known ones, with a suggestion',
  }),
  summary: Nullable(Summary),
};
