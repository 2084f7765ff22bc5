import { type Micros, readTimestampText } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import { type ListedTicket, listedTicket, type TicketRow } from './listed-ticket.ts';
import { type PurchaseState, purchaseStates } from './purchase.ts';
import { ticketStates as stakedStates, type TicketState } from './ticket.ts';

export const ticketStates = [...purchaseStates, ...stakedStates] as const;

export interface TicketFilter {
  version?: 1 | 2;
  lottery_id?: string;
  /** A draw_id; in version 1 the draw's time, as in the draw calendar. */
  draw?: string;
  state?: PurchaseState | TicketState;
  /** True: only tickets whose Bet is missing. False: only the others. */
  orphan?: boolean;
  /** True: only tickets with conflicting versions. False: only the others. */
  conflicting?: boolean;
  /** Bounds of the ticket's date, both inclusive. */
  from?: Micros;
  to?: Micros;
}

/**
 * The player's tickets of both versions, newest first. `before` is the token of the last ticket of the previous page. Tickets of
 * one purchase are in the order of the purchase.
 */
export async function listTickets(
  db: Pick<ClientBase, 'query'>,
  playerId: number,
  filter: TicketFilter,
  limit: number,
  before?: string,
): Promise<ListedTicket[]> {
  const place = before === undefined ? undefined : readToken(before);
  const { rows } = await db.query<TicketRow>(statement, [
    playerId,
    filter.version ?? null,
    filter.lottery_id ?? null,
    filter.draw ?? null,
    momentOf(filter.draw),
    filter.state ?? null,
    filter.orphan ?? null,
    filter.conflicting ?? null,
    textOf(filter.from),
    textOf(filter.to),
    textOf(place?.at),
    place?.key ?? null,
    place?.position ?? null,
    limit,
  ]);
  return rows.map(listedTicket);
}

const bounded = (at: string, key: string, position: string) =>
  `${at} >= coalesce($9::timestamptz, '-infinity') and ${at} <= least($10::timestamptz, $11::timestamptz, 'infinity')
   and ($11::timestamptz is null or ${at} < $11
        or (${at} = $11 and (${key}, -${position}) < (decode($12, 'hex'), -$13::int)))`;

const alike = (table: string) =>
  `($6::text is null or ${table}.state = $6)
   and ($7::boolean is null or (${table}.state = 'orphan') = $7)
   and ($8::boolean is null or (${table}.conflicts > 0) = $8)`;

/**
 * Selects the page first, from narrow columns, and then reads documents only for the rows of the page. Each half reads newest first through
 * its index and stops at the page length, so a page of recent tickets does not read old purchases.
 */
const statement = `
  with page as (
    (select 1 as version, p.purchase_key as key, t.position::int as position, p.at, p.state, p.conflicts,
            t.ticket ->> 'lottery_id' as lottery_id
     from lottery_purchase p
     cross join lateral jsonb_array_elements(p.versions -> 0 -> 'details' -> 'tickets') with ordinality
       as t(ticket, position)
     where p.player_id = $1 and ${bounded('p.at', 'p.purchase_key', 't.position')}
       and ($2::smallint is null or $2 = 1)
       and ($3::text is null or t.ticket ->> 'lottery_id' = $3)
       and ($4::text is null or t.ticket -> 'draws' @> to_jsonb($5::bigint))
       and ${alike('p')}
     order by p.at desc, p.purchase_key desc, t.position
     limit $14)
    union all
    (select 2, ticket_key, 0, at, state, conflicts, lottery_id
     from lottery_ticket t
     where player_id = $1 and ${bounded('at', 'ticket_key', '0')}
       and ($2::smallint is null or $2 = 2)
       and ($3::text is null or lottery_id = $3)
       and ($4::text is null or draw_id = $4)
       and ${alike('t')}
     order by at desc, ticket_key desc
     limit $14)
    order by at desc, key desc, position
    limit $14
  )
  select g.version, encode(g.key, 'hex') as key, g.position, g.at, g.state, g.conflicts, g.lottery_id,
         p.transaction_id, (p.versions -> 0) #- '{details,tickets}' as purchase,
         p.versions -> 0 -> 'details' -> 'tickets' -> (g.position - 1) as ticket,
         t.ticket_id, t.draw_id, coalesce(t.orphans, 0) as orphans, t.base_amount,
         coalesce(t.base_discount, 0) as base_discount, coalesce(t.base_payout, 0) as base_payout,
         coalesce(t.line_count, 0) as line_count, coalesce(t.settled_line_count, 0) as settled_line_count,
         coalesce(t.winning_line_count, 0) as winning_line_count, t.settled_at, t.bets -> 0 as bet,
         coalesce(t.settlements, '[]') as all_settlements
  from page g
  left join lottery_purchase p on g.version = 1 and p.player_id = $1 and p.purchase_key = g.key
  left join lottery_ticket t on g.version = 2 and t.player_id = $1 and t.ticket_key = g.key
  order by g.at desc, g.key desc, g.position`;

function textOf(at: Micros | undefined): string | null {
  return at === undefined ? null : timestamptzText(at);
}

/** Version 1 has no draw_ids and identifies a draw by its time. */
function momentOf(draw: string | undefined): Micros | null {
  const written = draw === undefined ? undefined : readTimestampText(draw);
  return written?.zoned ? written.micros : null;
}

/** @throws {RangeError} if the text is not a token of `listTickets` */
function readToken(token: string): { at: Micros; key: string; position: number } {
  const match = /^(-?\d{1,16})-([0-9a-f]{32})-(\d{1,9})$/.exec(token);
  if (match === null) throw new RangeError('the page token does not belong to this list');
  return { at: Number(match[1]), key: match[2] as string, position: Number(match[3]) };
}
