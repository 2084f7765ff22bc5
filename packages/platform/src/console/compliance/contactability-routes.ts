import type { Micros } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { type Explained, explain, listDecisions, recordedInputs } from '../../gate/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { knownPlayer } from '../players/known-player.ts';
import { momentText } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { contactability, type ShownDecision, whyEndpoint } from './contactability-endpoints.ts';
import { presentDecision } from './present-decision.ts';

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
    // One pair was asked for, so one was explained.
    const one = explained as Explained;
    return {
      ...present(one, now),
      as_of: momentText(now),
      rule: { version: one.rule_version, fact_age_hours: brand.settings.fact_age_hours },
      inputs: recordedInputs(one.verdict) as ShownDecision['inputs'],
      needs: one.needs,
      last_decisions: last.map(presentDecision),
    };
  });
}

function present({ channel, purpose, verdict }: Explained, now: Micros) {
  const { outcome, reason, as_of, inputs } = verdict;
  const age_ms = as_of === null ? null : Math.max(0, Math.round((now - as_of) / 1_000));
  const sources = [...new Set(inputs.flatMap(({ source }) => source ?? []))].toSorted();
  return { channel, purpose, outcome, reason, age_ms, sources };
}
