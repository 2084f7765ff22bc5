import { factReading } from './fact.ts';

/** Tickets of both versions of the interface: tickets of purchases (version 1), and tickets that are settled line by line (version 2). */
const tickets = `(
  select p.player_id, p.at, 1::numeric as version, p.state, t.ticket ->> 'ticket_id' as ticket_id, p.transaction_id,
         t.ticket ->> 'lottery_id' as lottery_id, null as draw_id, null::timestamptz as settled_at,
         trim_scale((t.ticket ->> 'base_real')::numeric + (t.ticket ->> 'base_bonus')::numeric) as base_amount,
         0::numeric as base_discount, 0::numeric as base_payout,
         (t.ticket ->> 'lines')::numeric as line_count, 0::numeric as settled_line_count, 0::numeric as winning_line_count
  from lottery_purchase p cross join lateral jsonb_array_elements(p.versions -> 0 -> 'details' -> 'tickets') t(ticket)
  where p.state = 'bought'
  union all
  select player_id, at, 2, state, ticket_id, null, lottery_id, draw_id, settled_at, base_amount, base_discount, base_payout,
         line_count, settled_line_count, winning_line_count
  from lottery_ticket where state <> 'orphan')`;

export const ticket = (baseCurrency: string) =>
  factReading({
    name: 'ticket',
    title: 'lottery tickets',
    meaning:
      'Lottery tickets that were bought. Tickets of rejected purchases, and settlements without a bet, do not count.',
    from: `${tickets} t`,
    inForce: 'true',
    at: 'at',
    columns: {
      version: ['number', 'the version of the interface'],
      status: ['text', 'the status', 'state'],
      ticket_id: ['text', 'the ticket id'],
      transaction_id: ['text', 'the purchase'],
      lottery_id: ['text', 'the lottery'],
      draw_id: ['text', 'the draw'],
      timestamp: ['moment', 'its time', 'at'],
      settled_at: ['moment', 'the time of the settlement'],
      base_amount: ['amount', 'the stake'],
      base_discount: ['amount', 'the discount'],
      base_payout: ['amount', 'the payout'],
      line_count: ['number', 'the number of lines'],
      settled_line_count: ['number', 'the number of settled lines'],
      winning_line_count: ['number', 'the number of winning lines'],
    },
    baseCurrency,
  });
