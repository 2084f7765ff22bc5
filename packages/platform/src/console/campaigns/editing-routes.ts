import { type Campaign, checkCampaign, ruleSentences } from '@croupier/campaigns';
import type { FastifyInstance } from 'fastify';
import { knownTo } from '../../campaigns/index.ts';
import { kindOfEvent, usualBody } from '../../scenarios/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { errorsIn } from '../language/translate.ts';
import { serve } from '../routing/serve.ts';
import { checkCampaignEndpoint, listCampaignEventsEndpoint } from './editing-endpoints.ts';
import { readProposedLimits } from './proposed-limits.ts';

/** Calls that an editor of campaigns makes while a document is edited. */
export function campaignEditingRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, checkCampaignEndpoint, async ({ brand, body, language }) => {
    const known = await knownTo(pool, brand);
    const errors = errorsIn(checkCampaign(body.campaign, known), language);
    const proposed =
      body.propose_limits === true && errors.length === 0
        ? await readProposedLimits(pool, brand, body.campaign as Campaign, clock())
        : null;
    return { errors, rules: ruleSentences(body.campaign, known.catalog), proposed_limits: proposed };
  });

  serve(app, listCampaignEventsEndpoint, async ({ brand }) => {
    const { catalog, events } = await knownTo(pool, brand);
    const { base_currency } = brand.settings;
    const items = [...events.keys()].map((event) => ({
      event,
      fact: catalog.fact(event) === undefined ? null : `did.${event}`,
      body: usualBody(kindOfEvent(event), { base_currency, number: 1 }),
    }));
    return { items, next: null };
  });
}
