import { Type } from 'typebox';
import type { TimelineEntry } from '../../scenarios/index.ts';
import { Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';

/** The rows of a timeline. They show what a campaign would do with a player. */
export const Timeline = Type.Array(
  Type.Object({
    at: Moment,
    step: Nullable(Type.String()),
    what: Type.String({ description: 'The kind of step, or run' }),
    outcome: Type.String(),
    reason: Nullable(Type.String()),
    rendered: Nullable(
      Type.String({
        description: 'The text of the message. For real players, null if the caller may not see personal data',
      }),
    ),
    channel: Nullable(Type.String()),
    template: Nullable(Type.String()),
    bonus_code: Nullable(Type.String()),
    variant: Nullable(Type.String()),
    until: Nullable(Moment),
    sentence: Type.Optional(Type.String({ description: 'The rule of the segment in words. Only for a transition' })),
    trace: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description: "Each condition of the segment with the player's value, as in `rules/try`. Only for a transition",
      }),
    ),
  }),
);

/** @param unmasked whether the caller may read the content of messages */
export function presentEntry(
  { at, until, campaign: _code, version: _version, trace: _trace, rendered, ...entry }: TimelineEntry,
  unmasked: boolean,
) {
  return { ...entry, rendered: unmasked ? rendered : null, at: momentText(at), until: momentTextOrNull(until) };
}
