import type { DecimalText, Micros } from '@croupier/contracts';
import { factFamily, factTable } from '../../facts/index.ts';
import { decideTicket, ticketSaid } from './decide.ts';
import { partsOfTicket, winsOf } from './parts.ts';
import type { Ticket } from './ticket.ts';
import { lotteryTotals } from './totals.ts';

/** Tickets of version 2: see README.md for their rules, ticket.ts for their states. */
export const lotteryTickets = factFamily({
  family: 'lottery tickets',
  kinds: ['lottery'],
  table: factTable<Ticket, 'player_id' | 'ticket_key', StoredTicket>({
    name: 'lottery_ticket',
    key: { player_id: 'bigint', ticket_key: 'hash' },
    columns: {
      ticket_id: 'text',
      lottery_id: 'text',
      draw_id: 'text',
      state: 'text',
      orphans: 'int',
      at: 'timestamptz',
      day: 'date',
      amount: 'numeric',
      currency: 'text',
      exchange_rate: 'numeric',
      base_amount: 'numeric',
      base_discount: 'numeric',
      base_payout: 'numeric',
      line_count: 'int',
      settled_line_count: 'int',
      winning_line_count: 'int',
      settled_at: 'timestamptz',
      conflicts: 'int',
      bets: 'jsonb',
      settlements: 'jsonb',
    },
    unread: { win_at: 'timestamptz[]', win_day: 'date[]', win_base_amount: 'numeric[]' },
  }),
  stored: storedTicket,
  read: (source) => [ticketSaid(source)],
  decide: decideTicket,
  counted: [{ totals: lotteryTotals, partsOf: partsOfTicket }],
});

/** A ticket as stored, with its wins, the latest first. So extremes can be read again without its settlements. */
interface StoredTicket extends Ticket {
  win_at: readonly Micros[];
  win_day: readonly string[];
  win_base_amount: readonly DecimalText[];
}

function storedTicket(ticket: Ticket, timeZone: string): StoredTicket {
  const wins = winsOf(ticket, timeZone);
  return {
    ...ticket,
    win_at: wins.map(({ at }) => at),
    win_day: wins.map(({ day }) => day),
    win_base_amount: wins.map(({ base_amount }) => base_amount),
  };
}
