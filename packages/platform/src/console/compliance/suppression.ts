import { marketPolicyOf } from '@croupier/campaigns';
import { Type } from 'typebox';
import type { ListedTransition } from '../../operator/protection/index.ts';
import { Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';

/**
 * How long it took until a protection was applied everywhere. From `received_at` on, the gate held contacts. At `suppressed_at`,
 * everything that waited for the player had been withdrawn.
 */
export const suppressionFields = {
  received_at: Moment,
  suppressed_at: Nullable(Moment),
  suppression_ms: Nullable(
    Type.Integer({
      description:
        'Time from the receipt of the change (received_at) until everything that waited for the player was withdrawn (suppressed_at): after it, no contact could begin. Null: not yet, or the change does not protect the player',
    }),
  ),
  suppression_allowed: Nullable(
    Type.String({
      description: "What the player's market allows, as an ISO 8601 duration. Null: no rule is built in",
      examples: ['P2D'],
    }),
  ),
};

export function presentTransition({
  market,
  country,
  received_at,
  suppressed_at,
  at,
  ...transition
}: ListedTransition) {
  return {
    ...transition,
    at: momentText(at),
    received_at: momentText(received_at),
    suppressed_at: momentTextOrNull(suppressed_at),
    suppression_ms: suppressed_at === null ? null : Math.max(0, Math.round((suppressed_at - received_at) / 1_000)),
    suppression_allowed: marketPolicyOf(market, country)?.most_suppression ?? null,
  };
}
