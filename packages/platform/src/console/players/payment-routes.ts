import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedPayment, listPayments } from '../../derive/index.ts';
import { maskText } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { momentText, readMoment } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';
import { listPaymentsEndpoint } from './payment-endpoints.ts';

/** The token of derive's list, which it checks itself. */
const cursor = new CursorCodec('payments', Type.String({ pattern: '^-?[0-9]{1,16}-[0-9a-f]{32}$' }));

export function paymentRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listPaymentsEndpoint, async ({ access, brand, params, query }) => {
    const { limit, cursor: after, from, to, ...rest } = query;
    const player = await knownPlayer(pool, brand, params.user_id);
    const bounds = { from: readMoment('from', from), to: readMoment('to', to) };
    const before = after === undefined ? undefined : cursor.decode(after);
    const rows = await listPayments(pool, player.player_id, { ...rest, ...bounds }, limit + 1, before);
    const { items, next } = pageFrom(rows, limit, (last) => cursor.encode(last.token));
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((payment) => present(payment, unmasked)), next };
  });
}

function present({ at, day: _, token: __, events, note, ...payment }: ListedPayment, unmasked: boolean) {
  return {
    ...payment,
    timestamp: momentText(at),
    note: unmasked ? note : maskText(note),
    events: events.map(({ status, timestamp, amount, currency, exchange_rate }) => ({
      status,
      amount,
      currency,
      exchange_rate,
      timestamp: momentText(timestamp),
    })),
  };
}
