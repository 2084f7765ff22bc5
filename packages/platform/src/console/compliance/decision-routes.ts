import type { Micros } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { Type } from 'typebox';
import { readCampaignsOfRuns } from '../../campaigns/index.ts';
import {
  type DecisionFilter,
  findingKinds,
  type ListedDecision,
  listDecisions,
  listHolds,
  verifyChain,
} from '../../gate/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, MicrosShape, Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { continuing, presentHead, VerificationBody, verification, walkOptions } from './chain-schemas.ts';
import { DecisionShown } from './contactability-schemas.ts';
import { decisionFilter } from './decision-filter.ts';
import { decisionFilters } from './decision-schemas.ts';
import { presentDecision } from './present-decision.ts';

const CampaignOfCause = Nullable(
  Type.String({ description: 'Code of the campaign, if a step of its runs is the cause' }),
);

export const listDecisionsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/decisions',
  tag: 'Compliance',
  summary: 'Decisions of the gate, newest first',
  description:
    'If you filter only by outcome, channel, purpose or reason, without a player, a cause or `from`, the list covers the last 90 days, or the 90 days before `to`.',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object({ ...decisionFilters, ...pageQuery }, { additionalProperties: false }),
  status: 200,
  answer: PageOf(
    Type.Object({
      ...DecisionShown.properties,
      campaign: CampaignOfCause,
    }),
  ),
});

export const listHoldsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/holds',
  tag: 'Compliance',
  summary: 'Contacts that are held for missing information, longest held first',
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
      campaign: CampaignOfCause,
      reason: Type.String({ description: 'Current reason' }),
      held_since: Moment,
      last_asked_at: Moment,
      expires_at: Nullable(Moment),
    }),
  ),
});

export const verifyChainEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/decisions/verification',
  tag: 'Compliance',
  summary: 'Verify the hash chain over the decisions of a brand',
  description: `${continuing} To verify the whole chain in one call, run \`npm run cli -- audit verify\`.`,
  may: 'decision.export',
  params: BrandParams,
  body: VerificationBody,
  status: 200,
  answer: Type.Object({
    ...verification,
    finding: Nullable(
      Type.Object({
        kind: Type.Enum(findingKinds),
        seal_no: Nullable(Type.Integer()),
        decision_id: Nullable(Type.Integer()),
        message: Type.String(),
      }),
    ),
    decisions: Type.Integer(),
    searched_to: Nullable(
      Type.Integer({ description: 'The decision_id up to which the search for unsealed decisions is complete' }),
    ),
  }),
});

const decisionCursor = new CursorCodec(
  'decisions',
  Type.Object({ decided_at: MicrosShape, decision_id: Type.Integer() }),
);
const holdCursor = new CursorCodec('holds', Type.Object({ held_since: MicrosShape, decision_id: Type.Integer() }));

export function decisionRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, listDecisionsEndpoint, async ({ brand, query }) => {
    const { limit, cursor, ...filters } = query;
    const before = decisionCursor.decode(cursor);
    const filter = await decisionFilter(pool, brand, filters);
    const rows = await listDecisions(pool, brand.brand_id, inBounds(filter, clock()), limit + 1, before);
    const { items, next } = pageFrom(rows, limit, ({ decided_at, decision_id }) =>
      decisionCursor.encode({ decided_at, decision_id }),
    );
    const campaignOf = await readCampaigns(pool, items);
    return { items: items.map((one) => ({ ...presentDecision(one), campaign: campaignOf(one) })), next };
  });

  serve(app, listHoldsEndpoint, async ({ brand, query: { limit, cursor } }) => {
    const after = holdCursor.decode(cursor);
    const rows = await listHolds(pool, brand.brand_id, limit + 1, after);
    const { items, next } = pageFrom(rows, limit, ({ held_since, decision_id }) =>
      holdCursor.encode({ held_since, decision_id }),
    );
    const campaignOf = await readCampaigns(pool, items);
    return {
      items: items.map(({ cause_kind, cause_id, ...hold }) => ({
        ...hold,
        cause: { kind: cause_kind, id: cause_id },
        campaign: campaignOf({ cause_kind, cause_id }),
        held_since: momentText(hold.held_since),
        last_asked_at: momentText(hold.last_asked_at),
        expires_at: momentTextOrNull(hold.expires_at),
      })),
      next,
    };
  });

  serve(app, verifyChainEndpoint, async ({ brand, body }) => {
    const { head, ...report } = await verifyChain(pool, brand.brand_id, walkOptions(body));
    return { ...report, head: presentHead(head) };
  });
}

type WithCause = Pick<ListedDecision, 'cause_kind' | 'cause_id'>;

/** @returns a function that returns the code of the campaign whose run is the cause, or null */
async function readCampaigns(pool: Pool, items: readonly WithCause[]): Promise<(one: WithCause) => string | null> {
  const campaigns = await readCampaignsOfRuns(
    pool,
    items.flatMap((one) => runOf(one) ?? []),
  );
  return (one) => campaigns.get(runOf(one) ?? 0) ?? null;
}

/** The run whose step is the cause: the gate names it `run/step`. */
function runOf({ cause_kind, cause_id }: WithCause): number | null {
  return cause_kind === 'run' ? Number.parseInt(cause_id, 10) : null;
}

/** A filter by a rare value without an index could read all decisions of the brand, so it covers only the last 90 days. */
const defaultDays = 90;

function inBounds(filter: DecisionFilter, now: Micros): DecisionFilter {
  const { outcome, channel, purpose, reason, player_id, cause_id, from } = filter;
  const isUnindexed = (outcome ?? channel ?? purpose ?? reason) !== undefined;
  if (!isUnindexed || player_id !== undefined || cause_id !== undefined || from !== undefined) return filter;
  return { ...filter, from: (filter.to ?? now) - defaultDays * 86_400_000_000 };
}
