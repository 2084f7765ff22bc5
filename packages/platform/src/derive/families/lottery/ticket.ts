import { createHash } from 'node:crypto';
import { type DecimalText, dayOf, type EventOf, type Micros } from '@croupier/contracts';
import { inBase, sumOf } from '../../money.ts';
import { addVersion, type Version } from '../../versions.ts';
import { type Claims, claimsOf, type Settlement } from './settlements.ts';

/*
 * A ticket of the lottery's version 2: what one Bet message buys of one draw, (ticket_id, lottery_id, draw_id), and the
 * Settlements of that draw, joined line by line (docs/reference/decisions.md 2.9).
 *
 *           a Settlement covers some lines              all lines
 *     open ----------------------------------> partly_settled ------> settled
 *
 *     orphan   Settlements whose Bet is missing. They are listed and have no effect. When the Bet comes, the state is the same
 *              as if it had come first
 *
 * Of several Bets, the earliest is in force, as for every key. Of several Settlements, the latest is in force, line by
 * line: see settlements.ts.
 */
export const ticketStates = ['open', 'partly_settled', 'settled', 'orphan'] as const;
export type TicketState = (typeof ticketStates)[number];

export interface TicketBet extends Version {
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  /** Stored only for the Bet in force. */
  details?: TicketDetails;
}

export interface TicketDetails {
  lines: readonly BetLine[];
  draw_date: Micros;
  lottery_name?: string;
  lottery_type?: string;
  discount_amount?: DecimalText;
  bonus_code?: string;
  device_type?: string;
  origin: string;
  meta?: Readonly<Record<string, unknown>>;
}

export type BetLine = Pick<
  EventOf<'lottery'>['lines'][number],
  'line_id' | 'is_free_bet' | 'numbers' | 'special_numbers' | 'is_quick_pick' | 'meta'
>;

/** A ticket as stored: the row of live.lottery_ticket. */
export interface Ticket {
  player_id: number;
  ticket_key: string;
  ticket_id: string;
  lottery_id: string;
  draw_id: string;
  state: TicketState;
  /** The number of settlements that would be in force if their Bet existed. */
  orphans: number;
  /** The time of the Bet. For an orphan, the time of the earliest settlement. */
  at: Micros;
  day: string;
  /** Null, like the stake, while the Bet is missing. */
  amount: DecimalText | null;
  currency: string | null;
  exchange_rate: DecimalText | null;
  base_amount: DecimalText | null;
  base_discount: DecimalText;
  /** The sum of the settlements in force. */
  base_payout: DecimalText;
  line_count: number;
  settled_line_count: number;
  winning_line_count: number;
  settled_at: Micros | null;
  conflicts: number;
  /** Versions of the Bet, the one in force first. */
  bets: readonly TicketBet[];
  /** The settlements of the ticket, the latest first. */
  settlements: readonly Settlement[];
}

export type TicketIdentity = Pick<Ticket, 'player_id' | 'ticket_key' | 'ticket_id' | 'lottery_id' | 'draw_id'>;

export function ticketFact(
  identity: TicketIdentity,
  bets: readonly TicketBet[],
  settlements: readonly Settlement[],
  timeZone: string,
): Ticket {
  const bet = bets[0];
  const claims = claimsOf(settlements, bet?.details?.lines ?? []);
  const paying = bet === undefined ? [] : claims.inForce;
  const at = bet?.timestamp ?? Math.min(...settlements.map(({ timestamp }) => timestamp));
  return {
    ...identity,
    state: bet === undefined ? 'orphan' : stateOf(bet, claims),
    orphans: bet === undefined ? claims.inForce.length : 0,
    at,
    day: dayOf(timeZone, at),
    ...stakeOf(bet),
    base_payout: sumOf(paying.map(({ amount, exchange_rate }) => inBase(amount, exchange_rate))),
    line_count: bet?.details?.lines.length ?? 0,
    settled_line_count:
      bet === undefined ? 0 : (bet.details?.lines ?? []).filter(({ line_id }) => claims.by.has(line_id)).length,
    winning_line_count: paying.reduce((sum, settlement) => sum + claims.winningLinesOf(settlement), 0),
    settled_at: paying[0]?.timestamp ?? null,
    conflicts: Math.max(bets.length - 1, 0) + claims.conflicts,
    bets,
    settlements,
  };
}

function stateOf(bet: TicketBet, claims: Claims): TicketState {
  if (claims.inForce.length === 0) return 'open';
  return (bet.details?.lines ?? []).every(({ line_id }) => claims.by.has(line_id)) ? 'settled' : 'partly_settled';
}

function stakeOf(bet: TicketBet | undefined) {
  const { amount = null, currency = null, exchange_rate = null, details } = bet ?? {};
  return {
    amount,
    currency,
    exchange_rate,
    base_amount: bet === undefined ? null : inBase(bet.amount, bet.exchange_rate),
    base_discount: bet === undefined ? '0' : inBase(details?.discount_amount ?? '0', bet.exchange_rate),
  };
}

export function sameMoney(a: TicketBet, b: TicketBet): boolean {
  return a.amount === b.amount && a.currency === b.currency && a.exchange_rate === b.exchange_rate;
}

/** Adds a Bet to the Bets of its ticket. Returns the same array if nothing changes. */
export function withBet(bets: readonly TicketBet[], bet: TicketBet): readonly TicketBet[] {
  const grown = addVersion(bets, bet, sameMoney);
  return grown === bets ? bets : grown.map((each, i) => (i === 0 ? each : withoutDetails(each)));
}

function withoutDetails(bet: TicketBet): TicketBet {
  const { details: _, ...rest } = bet;
  return rest;
}

/** The lengths separate the three ids unambiguously, because an id may contain any character. */
export function ticketKey(event: Pick<EventOf<'lottery'>, 'ticket_id' | 'lottery_id' | 'draw_id'>): string {
  const ids = [event.ticket_id, event.lottery_id, event.draw_id].map((id) => `${id.length}:${id}`);
  return createHash('sha256')
    .update(`2\n${ids.join('')}`)
    .digest('hex')
    .slice(0, 32);
}

export function ticketBet(event: EventOf<'lottery'>, fingerprint: string): TicketBet {
  const { timestamp, amount, currency, exchange_rate } = event;
  const { draw_date, lottery_name, lottery_type, discount_amount, bonus_code, device_type, origin, meta } = event;
  return {
    timestamp,
    fingerprint,
    amount,
    currency,
    exchange_rate,
    details: {
      lines: betLines(event),
      draw_date,
      origin,
      ...(lottery_name !== undefined && { lottery_name }),
      ...(lottery_type !== undefined && { lottery_type }),
      ...(discount_amount !== undefined && { discount_amount }),
      ...(bonus_code !== undefined && { bonus_code }),
      ...(device_type !== undefined && { device_type }),
      ...(meta !== undefined && { meta }),
    },
  };
}

/** If a Bet contains a line_id twice, the first entry counts. */
function betLines({ lines }: EventOf<'lottery'>): BetLine[] {
  const distinct = new Map<string, BetLine>();
  for (const { line_id, is_free_bet, numbers, special_numbers, is_quick_pick, meta } of lines) {
    if (distinct.has(line_id)) continue;
    distinct.set(line_id, {
      line_id,
      ...(is_free_bet !== undefined && { is_free_bet }),
      ...(numbers !== undefined && { numbers }),
      ...(special_numbers !== undefined && { special_numbers }),
      ...(is_quick_pick !== undefined && { is_quick_pick }),
      ...(meta !== undefined && { meta }),
    });
  }
  return [...distinct.values()];
}
