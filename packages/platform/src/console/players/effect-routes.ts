import { changesProtection, type EventKind } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type LookUp, lookUps } from '../../operator/judging/index.ts';
import { lookUpsAfter } from '../../operator/players/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { ShownVerdict } from '../feed/described-event.ts';
import { feedEventAt } from '../feed/read-feed.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { type EffectItem, readEffects } from './read-effects.ts';
import {
  BonusIntent,
  Change,
  Decision,
  Message,
  presentDecisionItem,
  presentSegmentItem,
  Refresh,
  Run,
  Segment,
  Tag,
  Transition,
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
    'What an event caused for its player, directly or through other effects, oldest first: segments entered or left, campaigns entered with their steps, decisions, messages, bonus intents, tags, and look-ups of the player with what they changed',
  description:
    'Croupier finds effects by the causes that are stored with them. The answer contains all effects that are still kept, even if the event is old, unless `cut` is true. Look-ups at the operator (`look_ups`) do not store the event that requested them. Therefore refreshes, answers about changes of consents and blocks, changes of protection, what a protection ended, and changed segments are found by their source and time, within 10 minutes after their cause. If several events or people requested a look-up in this time, each of these events has the same effects. A change of protection that is stored with the time of the event is found however late the operator answered. Not included: further steps of runs that were open before, changes by the passage of time alone, the first look-ups of a new player unless the event requests them itself, ended sessions of the site, and removed push devices.',
  may: 'player.read',
  params: Type.Object({ ...BrandParams.properties, position: Type.String() }),
  status: 200,
  answer: Type.Object({
    look_ups: Type.Array(Type.Enum(lookUps), { description: 'The look-ups at the operator that the event requested' }),
    items: Type.Array(
      Type.Union([Refresh, Change, Transition, Segment, Run, Step, Decision, Message, BonusIntent, Tag]),
    ),
    cut: Type.Boolean({
      description:
        'Whether effects may be missing: a list that Croupier reads for the answer has more than 500 rows, or a chain of causes has 10 links or more. The timeline of the player has no such limits. It lists everything except the steps of runs, which the runs contain',
    }),
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
    if (playerId === undefined) return { look_ups: [], items: [], cut: false };
    const look_ups = [...requestedBy(described)];
    const { position, received_at } = event;
    const player = { brandId: brand.brand_id, playerId };
    const { items, isCut } = await readEffects(pool, player, { position, received_at, lookUps: look_ups });
    return { look_ups, items: items.map(present), cut: isCut };
  });
}

/** The look-ups that an event requested. Updates of the player's records request them even if they are repeated or too old. */
function requestedBy({ kind, verdict }: { kind: EventKind; verdict: ShownVerdict }): readonly LookUp[] {
  const heeded: readonly ShownVerdict[] = changesProtection(kind)
    ? ['applied', 'past', 'repeat', 'too_old']
    : ['applied', 'past'];
  return heeded.includes(verdict) ? lookUpsAfter(kind) : [];
}

function present(item: EffectItem) {
  if (item.type === 'segment') return presentSegmentItem(item);
  if (item.type === 'decision') return presentDecisionItem(item);
  return { ...item, at: momentText(item.at) };
}
