import type { DecimalText, Micros } from '@croupier/contracts';
import { sumOf } from '../../money.ts';
import type { PurchaseDetails, PurchasedTicket, PurchaseState, PurchaseVersion } from './purchase.ts';
import { claimsOf, type SettledLine, type Settlement } from './settlements.ts';
import type { BetLine, TicketBet, TicketState } from './ticket.ts';

/**
 * A ticket of either version as shown to people. Amounts named base_* are in the brand's base currency.
 */
export interface ListedTicket {
  version: 1 | 2;
  state: PurchaseState | TicketState;
  /** Null if the purchase contains no tickets. */
  ticket_id: string | null;
  /** In version 1 the name of the product. */
  lottery_id: string;
  lottery_name: string | null;
  /** Version 2 only: version 1 identifies draws by their times. */
  draw_id: string | null;
  draws: Micros[];
  at: Micros;
  /** The amount of this ticket alone; null while the Bet is missing. */
  amount: DecimalText | null;
  /** The amount of the whole purchase that it belongs to, in version 1. */
  purchase_amount: DecimalText | null;
  currency: string | null;
  exchange_rate: DecimalText | null;
  /**
   * The amount that counts for this ticket; in version 1 its share of the purchase. base_bonus is the part of it that
   * is bonus money.
   */
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
  /** Version 2: the lines of the Bet and of the settlements, joined by line_id. */
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
  /** False if a settlement contains the line but the Bet does not. */
  bought: boolean;
  settled: boolean;
}

export interface ListedSettlement
  extends Pick<Settlement, 'amount' | 'currency' | 'exchange_rate' | 'draw_numbers' | 'draw_special_numbers'> {
  at: Micros;
  /** True if it is the latest settlement of at least one line. */
  in_force: boolean;
}

/** The columns that tickets of both versions of the interface have. All other fields are in the document of the respective version. */
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

/** The version by which the purchase is shown, without its tickets, because each ticket has a separate row. */
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
  const { inForce } = claimsOf(settlements, details?.lines ?? []);
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
    settlements: settlements.map((settlement) => listedSettlement(settlement, inForce)),
    device_type: details?.device_type ?? null,
    bonus_code: details?.bonus_code ?? null,
    origin: details?.origin ?? settlements[0]?.origin ?? '',
    meta: details?.meta ?? null,
  };
}

function listedSettlement(settlement: Settlement, inForce: readonly Settlement[]): ListedSettlement {
  const { timestamp, amount, currency, exchange_rate, draw_numbers, draw_special_numbers } = settlement;
  return {
    at: timestamp,
    amount,
    currency,
    exchange_rate,
    draw_numbers,
    ...(draw_special_numbers !== undefined && { draw_special_numbers }),
    in_force: inForce.includes(settlement),
  };
}

/**
 * Lines of the Bet in its order, then lines that only settlements contain, each with the settlement in force for it.
 */
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
