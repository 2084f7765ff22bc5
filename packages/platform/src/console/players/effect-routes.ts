import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ConsoleDeps } from '../deps.ts';
import { feedEventAt } from '../feed/read-feed.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { type EffectItem, readEffects } from './read-effects.ts';
import {
  BonusIntent,
  Decision,
  Message,
  presentDecisionItem,
  presentSegmentItem,
  Run,
  Segment,
  Tag,
} from './timeline-routes.ts';

const Step = Type.Object({
  type: Type.Literal('step'),
  at: Moment,
  run_id: Type.Integer(),
  campaign: Type.String({ description: 'Code of the campaign' }),
  step: Type.String(),
  state: Type.String({ description: 'The outcome of the step, as in the runs of the player' }),
  reason: Nullable(Type.String()),
});

export const showEffectsOfEvent = endpoint({
  method: 'GET',
  path: '/brands/:brand/feed/:position/effects',
  tag: 'Feed',
  summary:
    'What an event caused for its player, directly or through other effects, oldest first: segments entered or left, campaigns entered with their steps, decisions, messages, bonus intents and tags',
  description:
    'Croupier finds effects by the causes that are stored with them. The answer contains all effects that are still kept, even if the event is old.',
  may: 'player.read',
  params: Type.Object({ ...BrandParams.properties, position: Type.String() }),
  status: 200,
  answer: Type.Object({
    items: Type.Array(Type.Union([Segment, Run, Step, Decision, Message, BonusIntent, Tag])),
  }),
});

export function effectRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool } = deps;

  serve(app, showEffectsOfEvent, async ({ brand, params }) => {
    const { event, described } = await feedEventAt(deps, brand, params.position);
    const { rows } = await pool.query<{ player_id: number }>(
      'select player_id from player where brand_id = $1 and user_id = $2 and erased_at is null',
      [brand.brand_id, described.user_id],
    );
    const playerId = rows[0]?.player_id;
    if (playerId === undefined) return { items: [] };
    const items = await readEffects(pool, { brandId: brand.brand_id, playerId }, event);
    return { items: items.map(present) };
  });
}

function present(item: EffectItem) {
  if (item.type === 'segment') return presentSegmentItem(item);
  if (item.type === 'decision') return presentDecisionItem(item);
  return { ...item, at: momentText(item.at) };
}
