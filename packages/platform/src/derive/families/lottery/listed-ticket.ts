import type { DecimalText, Micros } from '@croupier/contracts';
import { sumOf } from '../../money.ts';
import type { PurchaseDetails, PurchasedTicket, PurchaseState, PurchaseVersion } from './purchase.ts';
import { claimsOf, type SettledLine, type Settlement } from './settlements.ts';
import type { BetLine, TicketBet, TicketState } from './ticket.ts';

/** A ticket of either version as people see it. Times are Micros, money named base_* is in the brand's base currency. */
export interface ListedTicket {
  version: 1 | 2;
  state: PurchaseState | TicketState;
  /** Null in a purchase that names no tickets. */
  ticket_id: string | null;
  /** The name of the product in version 1. */
  lottery_id: string;
  lottery_name: string | null;
  /** Version 2; version 1 knows draws by their times only. */
  draw_id: string | null;
  draws: Micros[];
  at: Micros;
  /** Of this ticket alone; null while the Bet is missing. */
  amount: DecimalText | null;
  /** Of the whole purchase that it belongs to, version 1. */
  purchase_amount: DecimalText | null;
  currency: string | null;
  exchange_rate: DecimalText | null;
  /** What counts of this ticket: its share of the purchase in version 1. Of it base_bonus is bonus money. */
  base_amount: DecimalText | null;
  base_bonus: DecimalText;
  base_discount: DecimalText;
  base_payout: DecimalText;
  line_count: number;
  settled_line_count: number;
  winning_line_count: number;
  settled_at: Micros | null;
  orphans: number;
  conflicts: number;
  /** Version 2: lines of the Bet and of settlements, joined by line_id. */
  lines: ListedTicketLine[];
  settlements: ListedSettlement[];
  transaction_id: string | null;
  product: string | null;
  bonus_code: string | null;
  device_type: string | null;
  origin: string;
  meta: Readonly<Record<string, unknown>> | null;
  token: string;
}

export interface ListedTicketLine extends Omit<BetLine, 'meta'>, Omit<SettledLine, 'meta'> {
  /** False for a line that a settlement names and the Bet does not. */
  bought: boolean;
  settled: boolean;
}

export interface ListedSettlement
  extends Pick<Settlement, 'amount' | 'currency' | 'exchange_rate' | 'draw_numbers' | 'draw_special_numbers'> {
  at: Micros;
  /** The latest for at least one line. */
  stands: boolean;
}

/** What both versions have as columns; the rest is in the documents of one or the other. */
export type TicketRow = Pick<
  ListedTicket,
  | ('version' | 'state' | 'at' | 'conflicts' | 'orphans' | 'transaction_id' | 'lottery_id' | 'ticket_id' | 'draw_id')
  | ('base_amount' | 'base_discount' | 'base_payout' | 'line_count' | 'settled_line_count' | 'winning_line_count')
  | 'settled_at'
> & {
  key: string;
  position: number;
  purchase: ShownPurchase | null;
  ticket: PurchasedTicket | null;
  bet: TicketBet | null;
  all_settlements: Settlement[];
};

/** The version by which it is shown, without its tickets: each of them is a row. */
type ShownPurchase = Omit<PurchaseVersion, 'details'> & { details?: Omit<PurchaseDetails, 'tickets'> };

export function listedTicket(row: TicketRow): ListedTicket {
  const { key, position, purchase, ticket, bet, all_settlements, ...columns } = row;
  const token = `${row.at}-${key}-${position}`;
  const ofVersion =
    purchase !== null && ticket !== null ? ofPurchase(purchase, ticket) : ofTicket(bet, all_settlements);
  return { ...columns, ...ofVersion, token };
}

function ofPurchase(
  { amount: purchase_amount, currency, exchange_rate, details }: ShownPurchase,
  ticket: PurchasedTicket,
) {
  const { ticket_id, amount, lottery_id, product, draws, lines, base_real, base_bonus } = ticket;
  return {
    amount,
    purchase_amount,
    currency,
    exchange_rate,
    base_amount: sumOf([base_real, base_bonus]),
    base_bonus,
    lottery_name: lottery_id === '' ? null : lottery_id,
    product,
    draws: [...draws],
    line_count: lines,
    ticket_id,
    lines: [],
    settlements: [],
    device_type: null,
    bonus_code: details?.bonus_code ?? null,
    origin: details?.origin ?? '',
    meta: details?.meta ?? null,
  };
}

function ofTicket(bet: TicketBet | null, settlements: readonly Settlement[]) {
  const { amount = null, currency = null, exchange_rate = null, details } = bet ?? {};
  const { standing } = claimsOf(settlements, details?.lines ?? []);
  const drawDate = settlements[0]?.draw_date ?? details?.draw_date;
  return {
    amount,
    purchase_amount: null,
    currency,
    exchange_rate,
    base_bonus: '0',
    product: null,
    lottery_name: details?.lottery_name ?? null,
    draws: drawDate === undefined ? [] : [drawDate],
    lines: joinedLines(details?.lines ?? [], settlements),
    settlements: settlements.map((settlement) => listedSettlement(settlement, standing)),
    device_type: details?.device_type ?? null,
    bonus_code: details?.bonus_code ?? null,
    origin: details?.origin ?? settlements[0]?.origin ?? '',
    meta: details?.meta ?? null,
  };
}

function listedSettlement(settlement: Settlement, standing: readonly Settlement[]): ListedSettlement {
  const { timestamp, amount, currency, exchange_rate, draw_numbers, draw_special_numbers } = settlement;
  return {
    at: timestamp,
    amount,
    currency,
    exchange_rate,
    draw_numbers,
    ...(draw_special_numbers !== undefined && { draw_special_numbers }),
    stands: standing.includes(settlement),
  };
}

/** Lines of the Bet in its order, then those that only settlements name; each with the settlement that stands for it. */
function joinedLines(betLines: readonly BetLine[], settlements: readonly Settlement[]): ListedTicketLine[] {
  const { by } = claimsOf(settlements, betLines);
  const bought = new Map(betLines.map((line) => [line.line_id, line]));
  const results = new Map(
    settlements.flatMap((settlement) =>
      settlement.lines.filter(({ line_id }) => by.get(line_id) === settlement).map((line) => [line.line_id, line]),
    ),
  );
  return [...new Set([...bought.keys(), ...by.keys()])].map((line_id) => {
    const { meta: _, ...played } = bought.get(line_id) ?? { line_id };
    const { meta: __, ...result } = results.get(line_id) ?? { line_id };
    return { ...played, ...result, bought: bought.has(line_id), settled: by.has(line_id) };
  });
}
