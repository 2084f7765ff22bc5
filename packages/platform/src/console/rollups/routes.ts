import { dayOf } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { readRollups } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { listRollupsEndpoint, mostDays, usualDays } from './endpoints.ts';

const dayMs = 86_400_000;

export function rollupRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, listRollupsEndpoint, async ({ brand, query }) => {
    const { base_currency, time_zone } = brand.settings;
    const last = query.to ?? dayOf(time_zone, clock());
    const first = query.from ?? dayBefore(last, usualDays - 1);
    const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
    if (days < 1 || days > mostDays) {
      const message = `from ${first} to ${last} are ${days} days: 1 to ${mostDays} can be asked for`;
      throw new Refused('invalid_request', message, { errors: [{ path: 'from', rule: 'days', message }] });
    }
    const items = await readRollups(pool, brand.brand_id, { first, last }, query.product);
    return { currency: base_currency, time_zone, items, next: null };
  });
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10);
}
