import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { listTransitions, type TransitionKind, transitionKinds } from '../../operator/protection/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { namesIn, PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable } from '../routing/fields.ts';
import { refusedField } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { presentTransition, suppressionFields } from './suppression.ts';

export const listTransitionsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/transitions',
  tag: 'Compliance',
  summary: 'Exclusions, blocks and consents that began or ended, newest first',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      user_id: Type.Optional(Type.String({ minLength: 1 })),
      kind: Type.Optional(Type.Enum(transitionKinds)),
      kinds: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description:
            'Only these kinds, separated by commas, such as `excluded,blocked`. If `kind` is given, too, both filters apply',
        }),
      ),
      waiting: Type.Optional(Type.Boolean({ description: 'Only transitions that not every follower has handled' })),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(
    Type.Object({
      transition_id: Type.Integer(),
      user_id: Nullable(Type.String({ description: 'Null: the player was erased' })),
      player_id: Type.Integer(),
      kind: Type.Enum(transitionKinds),
      consent_type: Nullable(Type.String()),
      source: Type.String({ description: 'Source of the change: look_up, reconciliation, unsubscribe, site or staff' }),
      at: Moment,
      ...suppressionFields,
      waiting: Type.Array(
        Type.Object({
          follower: Type.String({ description: 'A follower that has not handled it yet' }),
          attempts: Type.Integer(),
          failure: Nullable(Type.String()),
        }),
      ),
    }),
  ),
});

const codec = new CursorCodec('transitions', Type.Integer());

export function transitionRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listTransitionsEndpoint, async ({ brand, query }) => {
    const { limit, cursor, user_id, waiting } = query;
    const before = codec.decode(cursor);
    const player_id = user_id === undefined ? undefined : (await knownPlayer(pool, brand, user_id)).player_id;
    const filter = { player_id, kinds: kindsOf(query), waiting };
    const rows = await listTransitions(pool, brand.brand_id, filter, limit + 1, before);
    const { items, next } = pageFrom(rows, limit, ({ transition_id }) => codec.encode(transition_id));
    return { items: items.map(presentTransition), next };
  });
}

/** The kinds that both filters allow; undefined without a filter. */
function kindsOf({ kind, kinds }: { kind?: TransitionKind; kinds?: string }): readonly TransitionKind[] | undefined {
  const names = namesIn(kinds, transitionKinds.length, 'kinds')?.map(knownKind);
  if (kind === undefined) return names;
  return names === undefined || names.includes(kind) ? [kind] : [];
}

function knownKind(name: string): TransitionKind {
  const kind = transitionKinds.find((one) => one === name);
  if (kind !== undefined) return kind;
  const all = transitionKinds.join(', ');
  throw refusedField('kinds', 'enum', { en: `must contain only ${all}`, de: `darf nur diese enthalten: ${all}` });
}
