import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  countWaitingIntents,
  type IntentFilter,
  type IntentPlace,
  listIntents,
  readGrantsOfIntent,
  readIntent,
  reservationsOf,
  selectAttempts,
  selectChanges,
} from '../../actions/index.ts';
import type { Brand } from '../../brands/index.ts';
import { decisionsOfCause } from '../../gate/index.ts';
import type { Access } from '../access/access.ts';
import { presentDecision } from '../compliance/present-decision.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { momentText, momentTextOrNull, readMoment } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { countIntents, listBrandIntents, listPlayerIntents, showIntent } from './endpoints.ts';
import { presentAttempt, presentChange, presentIntent } from './present-intent.ts';

const cursor = new CursorCodec(
  'bonus-intents',
  Type.Object({ created_at: Type.Number(), intent_id: Type.String({ pattern: '^[0-9a-f-]{36}$' }) }),
);

interface ListQuery extends Pick<IntentFilter, 'state' | 'kind' | 'bonus_code' | 'activity_id'> {
  older_than?: number;
  from?: string;
  to?: string;
  limit: number;
  cursor?: string;
}

/** Reading bonus intents. What changes them is in action-routes.ts. */
export function intentRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  const list = async (access: Access, brand: Brand, query: ListQuery, playerId?: number) => {
    const { limit, cursor: after, from, to, older_than, ...rest } = query;
    const until = older_than === undefined ? undefined : clock() - older_than * 60_000_000;
    const bound = readMoment('to', to);
    const latest = until === undefined ? bound : Math.min(until, bound ?? until);
    const filter: IntentFilter = { ...rest, player_id: playerId, from: readMoment('from', from), to: latest };
    const place: IntentPlace | undefined = after === undefined ? undefined : cursor.decode(after);
    const rows = await listIntents(pool, brand.brand_id, filter, limit + 1, place);
    const { items, next } = pageFrom(rows, limit, ({ created_at, intent_id }) =>
      cursor.encode({ created_at, intent_id }),
    );
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((intent) => presentIntent(intent, unmasked)), next };
  };

  serve(app, listBrandIntents, ({ access, brand, query }) => list(access, brand, query));

  serve(app, listPlayerIntents, async ({ access, brand, params, query }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    return list(access, brand, query, player.player_id);
  });

  serve(app, countIntents, async ({ brand }) => {
    const counts = await countWaitingIntents(pool, brand.brand_id);
    return { states: counts.map((one) => ({ ...one, oldest_at: momentTextOrNull(one.oldest_at) })) };
  });

  serve(app, showIntent, async ({ access, brand, params: { intent_id } }) => {
    const intent = await readIntent(pool, brand.brand_id, intent_id);
    if (intent === null) throw noIntent(intent_id);
    const unmasked = access.may('personal.read', brand);
    const [attempts, changes, reservations, decisions, grants] = await Promise.all([
      selectAttempts(pool, intent_id),
      selectChanges(pool, intent_id),
      reservationsOf(pool, intent_id),
      decisionsOfCause(pool, brand.brand_id, { kind: 'intent', id: intent_id }),
      readGrantsOfIntent(pool, intent_id),
    ]);
    return {
      intent: presentIntent(intent, unmasked),
      attempts: attempts.map((attempt) => presentAttempt(attempt, unmasked)),
      changes: changes.map((change) => presentChange(change, unmasked)),
      reservations,
      decisions: decisions.map(presentDecision),
      grants: grants.map((grant) => ({ ...grant, since: momentText(grant.since) })),
    };
  });
}

export function noIntent(intentId: string): Refused {
  return new Refused('not_found', `the brand has no bonus intent ${intentId}`);
}
