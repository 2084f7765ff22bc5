import type { Micros } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ChainHead, type DecisionFilter, listDecisions, listHolds, verifyChain } from '../../gate/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { MicrosShape, momentText, momentTextOrNull } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listDecisionsEndpoint, listHoldsEndpoint, verifyChainEndpoint } from './decision-endpoints.ts';
import { decisionFilter } from './decision-filter.ts';
import { presentDecision } from './present-decision.ts';

const decisionCursor = new CursorCodec(
  'decisions',
  Type.Object({ decided_at: MicrosShape, decision_id: Type.Integer() }),
);
const holdCursor = new CursorCodec('holds', Type.Object({ held_since: MicrosShape, decision_id: Type.Integer() }));

/** One call verifies for so long at most: proxies give up after 30 s. */
const verifyMs = 20_000;

export function decisionRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, listDecisionsEndpoint, async ({ brand, query }) => {
    const { limit, cursor, ...filters } = query;
    const before = cursor === undefined ? undefined : decisionCursor.decode(cursor);
    const filter = await decisionFilter(pool, brand, filters);
    const rows = await listDecisions(pool, brand.brand_id, inBounds(filter, clock()), limit + 1, before);
    const { items, next } = pageFrom(rows, limit, ({ decided_at, decision_id }) =>
      decisionCursor.encode({ decided_at, decision_id }),
    );
    return { items: items.map(presentDecision), next };
  });

  serve(app, listHoldsEndpoint, async ({ brand, query: { limit, cursor } }) => {
    const after = cursor === undefined ? undefined : holdCursor.decode(cursor);
    const rows = await listHolds(pool, brand.brand_id, limit + 1, after);
    const { items, next } = pageFrom(rows, limit, ({ held_since, decision_id }) =>
      holdCursor.encode({ held_since, decision_id }),
    );
    return {
      items: items.map(({ cause_kind, cause_id, ...hold }) => ({
        ...hold,
        cause: { kind: cause_kind, id: cause_id },
        held_since: momentText(hold.held_since),
        last_asked_at: momentText(hold.last_asked_at),
        expires_at: momentTextOrNull(hold.expires_at),
      })),
      next,
    };
  });

  serve(app, verifyChainEndpoint, async ({ brand, body }) => {
    const end = performance.now() + verifyMs;
    const { head, ...report } = await verifyChain(pool, brand.brand_id, {
      after: headOf(body.after),
      expect: headOf(body.expect),
      searched_to: body.searched_to,
      until: () => performance.now() > end,
    });
    return { ...report, head: head && { seal_no: head.seal_no, hash: head.hash.toString('hex') } };
  });
}

/** By what few decisions have, and no index knows, a page would read all of the brand: then only the last 90 days are looked through. */
const defaultDays = 90;

function inBounds(filter: DecisionFilter, now: Micros): DecisionFilter {
  const { outcome, channel, purpose, reason, player_id, cause_id, from } = filter;
  const isUnindexed = (outcome ?? channel ?? purpose ?? reason) !== undefined;
  if (!isUnindexed || player_id !== undefined || cause_id !== undefined || from !== undefined) return filter;
  return { ...filter, from: (filter.to ?? now) - defaultDays * 86_400_000_000 };
}

function headOf(given: { seal_no: number; hash: string } | undefined): ChainHead | undefined {
  return given && { seal_no: given.seal_no, hash: Buffer.from(given.hash, 'hex') };
}
