import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ConsoleDeps } from '../deps.ts';
import { inLanguage } from '../language/translate.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';

export const readBonusListEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/bonus-list',
  tag: 'Bonuses',
  summary: 'The bonuses that the operator offers',
  description:
    'Read from the operator (GET /bonus/list) and cached for five minutes. If the operator does not answer, the last list is returned as stale.',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    state: Type.Enum(['fresh', 'stale', 'not_offered', 'failed'], {
      description:
        'not_offered: the operator does not provide the list; type the codes. failed: no list has been read yet',
    }),
    bonuses: Type.Array(Type.Object({ bonus_code: Type.String(), text: Type.String() })),
    left_out: Type.Integer({ description: "Entries of the operator's list without a usable code" }),
    as_of: Nullable(Moment),
    error: Nullable(Type.Object({ reason: Type.String(), detail: Type.String() })),
  }),
});

export function bonusListRoutes(app: FastifyInstance, { bonusLists }: ConsoleDeps): void {
  serve(app, readBonusListEndpoint, async ({ brand, language }) => {
    const { bonuses, as_of, error, ...list } = await bonusLists.read(brand);
    return {
      ...list,
      bonuses: [...bonuses],
      as_of: momentTextOrNull(as_of),
      error: error && { ...error, detail: inLanguage(error.detail, language) },
    };
  });
}
