import type { Micros } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { Type } from 'typebox';
import { channels, type Explained, explain, listDecisions, purposes, recordedInputs } from '../../gate/index.ts';
import { listTransitions, protectingKinds, transitionKinds } from '../../operator/protection/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, momentText, Nullable, PlayerParams } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { answer, DecisionInputs, DecisionShown, type ShownDecision } from './contactability-schemas.ts';
import { presentDecision } from './present-decision.ts';
import { presentTransition, suppressionFields } from './suppression.ts';

export const contactability = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/contactability',
  tag: 'Compliance',
  summary: 'Whether a player may be contacted, per channel and purpose, and why not',
  description:
    'Returns what the gate would decide now. This call is not a contact: it records nothing and does not call the operator.',
  may: 'player.read',
  params: PlayerParams,
  status: 200,
  answer: Type.Object({ as_of: Moment, items: Type.Array(Type.Object(answer)) }),
});

export const whyEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/why',
  tag: 'Compliance',
  summary:
    'Why a player may or may not be contacted: every input, the rule, what would have to change, the last decisions',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object({ channel: Type.Enum(channels), purpose: Type.Enum(purposes) }, { additionalProperties: false }),
  status: 200,
  answer: Type.Object({
    ...answer,
    as_of: Moment,
    rule: Type.Object({
      version: Type.Integer(),
      fact_age_hours: Type.Integer({ description: 'Older facts are fetched again before a contact' }),
    }),
    inputs: DecisionInputs,
    needs: Type.Array(Type.String(), { description: 'What would have to change for the contact to be allowed' }),
    suppression: Nullable(
      Type.Object(
        {
          kind: Type.Enum(transitionKinds),
          consent_type: Nullable(Type.String()),
          at: Moment,
          ...suppressionFields,
        },
        { description: 'The latest exclusion, block or withdrawal of the player, and how fast it was applied' },
      ),
    ),
    last_decisions: Type.Array(DecisionShown, { description: 'The 10 newest decisions for this channel and purpose' }),
  }),
});

const lastDecisions = 10;

export function contactabilityRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, contactability, async ({ brand, params }) => {
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const now = clock();
    const explained = await explain(pool, { brand_id: brand.brand_id, player_id }, { ...deps, clock: () => now });
    return { as_of: momentText(now), items: explained.map((one) => present(one, now)) };
  });

  serve(app, whyEndpoint, async ({ brand, params, query }) => {
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const now = clock();
    const player = { brand_id: brand.brand_id, player_id };
    const [explained] = await explain(pool, player, { ...deps, clock: () => now }, [query]);
    const last = await listDecisions(pool, brand.brand_id, { player_id, ...query }, lastDecisions);
    // One pair was requested, so there is one explanation.
    const one = explained as Explained;
    return {
      ...present(one, now),
      as_of: momentText(now),
      rule: { version: one.rule_version, fact_age_hours: brand.settings.fact_age_hours },
      inputs: recordedInputs(one.verdict) as ShownDecision['inputs'],
      needs: one.needs,
      suppression: await latestSuppression(pool, player),
      last_decisions: last.map(presentDecision),
    };
  });
}

async function latestSuppression(pool: Pool, { brand_id, player_id }: { brand_id: number; player_id: number }) {
  const [latest] = await listTransitions(pool, brand_id, { player_id, kinds: protectingKinds }, 1);
  if (latest === undefined) return null;
  const { kind, consent_type, at, received_at, suppressed_at, suppression_ms, suppression_allowed } =
    presentTransition(latest);
  return { kind, consent_type, at, received_at, suppressed_at, suppression_ms, suppression_allowed };
}

function present({ channel, purpose, verdict }: Explained, now: Micros) {
  const { outcome, reason, as_of, inputs } = verdict;
  const age_ms = as_of === null ? null : Math.max(0, Math.round((now - as_of) / 1_000));
  const sources = [...new Set(inputs.flatMap(({ source }) => source ?? []))].toSorted();
  return { channel, purpose, outcome, reason, age_ms, sources };
}
