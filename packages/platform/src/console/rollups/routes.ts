import { dayOf, daysBetween, plusDays } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { readRollups } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Nullable } from '../routing/fields.ts';
import { refusedField } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';

const Day = Type.String({ format: 'date', examples: ['2026-05-01'] });

/** More days would make an answer of megabytes; a year takes four calls. */
export const mostDays = 100;

export const usualDays = 30;

const RollupDay = Type.Object({
  day: Day,
  players: Type.Record(Type.String(), Type.Integer(), {
    description: 'Per family: players with activity on that day. Do not add them over days or families',
  }),
  figures: Type.Record(Type.String(), Nullable(Type.Union([Type.Number(), Type.String()])), {
    description:
      'By the names of `GET /traits`. Counts are numbers, amounts and ratios exact decimal strings. Null if there is nothing to divide by',
  }),
});

export const listRollupsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/rollups',
  tag: 'Roll-ups',
  summary: "Totals over all players of a brand, per day in the brand's time zone, newest first",
  description: `Always exact. Days without events are included. At most ${mostDays} days. Default: the last ${usualDays} days including today.`,
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object(
    {
      from: Type.Optional(Type.String({ format: 'date', description: 'First day' })),
      to: Type.Optional(Type.String({ format: 'date', description: 'Last day. Default: today' })),
      product: Type.Optional(
        Type.Enum(['casino', 'sports', 'lottery'], {
          description: 'Figures of one product. Default: of all products, payments, bonuses, carts and logins',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: Type.Object({
    currency: Type.String({ description: "Currency of the amounts: the brand's base currency" }),
    time_zone: Type.String(),
    items: Type.Array(RollupDay),
    next: Type.Null(),
  }),
});

export function rollupRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, listRollupsEndpoint, async ({ brand, query }) => {
    const { base_currency, time_zone } = brand.settings;
    const last = query.to ?? dayOf(time_zone, clock());
    const first = query.from ?? plusDays(last, 1 - usualDays);
    const days = daysBetween(first, last) + 1;
    if (days < 1 || days > mostDays) {
      const message = {
        en: `${first} to ${last} are ${days} days; request 1 to ${mostDays} days`,
        de: `${first} bis ${last} sind ${days} Tage; fragen Sie 1 bis ${mostDays} Tage ab`,
      };
      throw refusedField('from', 'days', message);
    }
    const items = await readRollups(pool, brand.brand_id, { first, last }, query.product);
    return { currency: base_currency, time_zone, items, next: null };
  });
}
