import { Type } from 'typebox';
import { channels, findingKinds, heldReasons, purposes, withheldReasons } from '../../gate/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable, timeRange } from '../routing/fields.ts';
import { DecisionShown } from './contactability-endpoints.ts';

export const decisionFilters = {
  user_id: Type.Optional(Type.String({ minLength: 1, description: 'Decisions about one player' })),
  player_id: Type.Optional(
    Type.Integer({ description: 'The same by our own number: also of a player who was erased' }),
  ),
  outcome: Type.Optional(Type.Enum(['allowed', 'withheld', 'held'])),
  channel: Type.Optional(Type.Enum(channels)),
  purpose: Type.Optional(Type.Enum(purposes)),
  reason: Type.Optional(Type.Enum([...withheldReasons, ...heldReasons])),
  cause_id: Type.Optional(Type.String({ minLength: 1, description: 'Decisions that one intent or message asked for' })),
  ...timeRange,
};

export const listDecisionsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/decisions',
  tag: 'Compliance',
  summary: 'What the gate decided, the newest first',
  description:
    'Filtered by outcome, channel, purpose or reason without a player, a cause or `from`: the last 90 days (before `to`, where given).',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object({ ...decisionFilters, ...pageQuery }, { additionalProperties: false }),
  status: 200,
  answer: PageOf(DecisionShown),
});

export const listHoldsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/holds',
  tag: 'Compliance',
  summary: 'Contacts that are held now because too little is known, the longest held first',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(pageQuery, { additionalProperties: false }),
  status: 200,
  answer: PageOf(
    Type.Object({
      decision_id: Type.Integer({ description: 'The record of the first hold' }),
      user_id: Nullable(Type.String()),
      player_id: Type.Integer(),
      channel: Type.String(),
      purpose: Type.String(),
      cause: Type.Object({ kind: Type.String(), id: Type.String() }),
      reason: Type.String({ description: 'Why it is held now' }),
      held_since: Moment,
      last_asked_at: Moment,
      expires_at: Nullable(Moment),
    }),
  ),
});

const Head = Type.Object({ seal_no: Type.Integer({ minimum: 1 }), hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) });

export const verifyChainEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/decisions/verification',
  tag: 'Compliance',
  summary: 'Verifies the hash chain over the decisions of a brand',
  description:
    'Walks the chain for 20 seconds at most. `complete: false` without a finding: call again with `after` set to `head`, and `searched_to` as it came where it is not null. The whole chain at once: `npm run cli -- audit verify`.',
  may: 'decision.export',
  params: BrandParams,
  body: Type.Object(
    {
      after: Type.Optional(Type.Object(Head.properties, { description: '`head` of the call before' })),
      searched_to: Type.Optional(Type.Integer({ minimum: 0, description: '`searched_to` of the call before' })),
      expect: Type.Optional(
        Type.Object(Head.properties, { description: 'A head noted earlier, which must still be there' }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: Type.Object({
    complete: Type.Boolean(),
    finding: Nullable(
      Type.Object({
        kind: Type.Enum(findingKinds),
        seal_no: Nullable(Type.Integer()),
        decision_id: Nullable(Type.Integer()),
        message: Type.String(),
      }),
    ),
    seals: Type.Integer({ description: 'Walked by this call' }),
    decisions: Type.Integer(),
    head: Nullable(Head),
    searched_to: Nullable(
      Type.Integer({ description: 'Up to which decision_id it was searched for decisions that no seal knows of' }),
    ),
  }),
});
