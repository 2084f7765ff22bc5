import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { mostReplayedEvents, personalTraits, traitsAround } from '../../derive/index.ts';
import { mask } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { Trait, traitText, unitText } from '../players/shown-traits.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { feedEventAt } from './read-feed.ts';

const { value: Value, unit: Unit } = Trait.properties;

export const showTraitsOfEvent = endpoint({
  method: 'GET',
  path: '/brands/:brand/feed/:position/traits',
  tag: 'Feed',
  summary: 'Traits that an event changed for its player, before and after',
  description:
    "Traits are not stored. They are derived again from the player's earlier events and this event, as of the receipt of this event and with the brand's current settings. Traits that come from details of the operator, messages or offers are not compared.",
  may: 'player.read',
  params: Type.Object({ ...BrandParams.properties, position: Type.String() }),
  status: 200,
  answer: Type.Object({
    items: Nullable(Type.Array(Type.Object({ name: Type.String(), unit: Unit, before: Value, after: Value }))),
    why: Nullable(
      Type.Enum(['no_player', 'too_many_events', 'older_days', 'not_applied'], {
        description: `Why there are no items. no_player: the event has no player, or is not derived yet; too_many_events: more than ${mostReplayedEvents} events of the player were received before; older_days: the ledger no longer keeps all events of the player; not_applied: the event waits, or is too old`,
      }),
    ),
  }),
});

export function eventTraitRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  serve(app, showTraitsOfEvent, async ({ access, brand, params }) => {
    const found = await feedEventAt(deps, brand, params.position);
    const { user_id } = found.described;
    const { rows } = await deps.pool.query<{ player_id: number }>(
      'select player_id from player where brand_id = $1 and user_id = $2 and erased_at is null',
      [brand.brand_id, user_id],
    );
    const player_id = rows[0]?.player_id;
    if (user_id === null || player_id === undefined) return { items: null, why: 'no_player' as const };
    const around = await traitsAround(deps, brand, found.event, { player_id, user_id });
    if ('why' in around) return { items: null, why: around.why };
    const unmasked = access.may('personal.read', brand);
    const { base_currency } = brand.settings;
    const items = around.changed.map(({ name, unit, before, after }) => {
      const shown = (value: typeof after) =>
        value !== null && !unmasked && personalTraits.has(name) ? mask : traitText(value, unit);
      return { name, unit: unitText(unit, base_currency), before: shown(before), after: shown(after) };
    });
    return { items, why: null };
  });
}
