import type { DecimalText, EventOf, Micros } from '@croupier/contracts';
import type { Version } from '../../versions.ts';

/*
 * Settlements of one ticket, joined line by line (docs/reference/decisions.md 2.9): per line the latest one is in
 * force, and in a tie the one with the smallest fingerprint.
 *
 * A settlement may come in several messages, each for some lines, and a line may be settled again. So a message
 *
 *   is in force   as long as it is the latest for at least one line. Then its whole amount counts, because the message does
 *                 not say how much of it each line got
 *   is replaced   when later messages have settled all its lines again. From then on, it never has an effect
 *
 * A message without lines settles the whole ticket: it replaces all messages before it. It is in force as long as the
 * Bet has a line that no later message settled, or has no lines at all.
 */
export interface Settlement extends Version {
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  draw_date: Micros;
  draw_numbers: number[];
  draw_special_numbers?: number[];
  lines: readonly SettledLine[];
  origin: string;
  meta?: Readonly<Record<string, unknown>>;
}

export type SettledLine = Pick<
  EventOf<'lottery'>['lines'][number],
  'line_id' | 'matched_numbers' | 'matched_special_numbers' | 'is_winning_line' | 'meta'
>;

/** Which settlement applies to which line. */
export interface Claims {
  /** The settlements in force, the latest first. */
  inForce: readonly Settlement[];
  /** Keyed by line_id: the latest settlement that contains the line or settles the whole ticket. */
  by: ReadonlyMap<string, Settlement>;
  /** The number of settlements that were replaced on a line by one with other money. */
  conflicts: number;
  /**
   * The winning lines that the Bet contains. A line that was not bought wins nothing, although the message that
   * contains it is paid.
   */
  winningLinesOf(settlement: Settlement): number;
}

/**
 * @param settlements the latest first
 * @param betLines the lines of the Bet; empty while it is missing
 */
export function claimsOf(settlements: readonly Settlement[], betLines: readonly { line_id: string }[]): Claims {
  const by = new Map<string, Settlement>();
  const bought = new Set(betLines.map(({ line_id }) => line_id));
  const inForce: Settlement[] = [];
  let whole: Settlement | undefined;
  let conflicts = 0;
  for (const settlement of settlements) {
    const lines = settlement.lines.length > 0 ? settlement.lines : betLines;
    const isWhole = settlement.lines.length === 0;
    const takenBy = lines.map(({ line_id }) => by.get(line_id) ?? whole);
    const rivals = isWhole ? [whole, ...takenBy] : takenBy;
    if (rivals.some((rival) => rival !== undefined && !sameMoney(rival, settlement))) conflicts += 1;
    if (whole === undefined && (takenBy.includes(undefined) || lines.length === 0)) inForce.push(settlement);
    for (const { line_id } of lines) if (whole === undefined && !by.has(line_id)) by.set(line_id, settlement);
    if (isWhole) whole ??= settlement;
  }
  return {
    inForce,
    by,
    conflicts,
    winningLinesOf: (settlement) =>
      settlement.lines.filter(
        ({ line_id, is_winning_line }) =>
          is_winning_line === true && bought.has(line_id) && by.get(line_id) === settlement,
      ).length,
  };
}

/**
 * The maximum number of replaced settlements that are stored. The latest ones are stored, so that people can see a contradiction. A
 * replaced settlement never comes into force again, so the stored ones are a function of the set of events.
 */
export const maxReplaced = 20;

/** Adds a settlement to the settlements of its ticket. Returns the same array if nothing changes. */
export function withSettlement(settlements: readonly Settlement[], settlement: Settlement): readonly Settlement[] {
  if (settlements.some(({ fingerprint }) => fingerprint === settlement.fingerprint)) return settlements;
  const grown = [...settlements, settlement].sort(latestFirst);
  // The lines of the Bet can still change, so this does not use them. The latest message that settles the whole ticket
  // is always kept.
  const { inForce } = claimsOf(grown, []);
  const needed = new Set(inForce);
  const whole = grown.find(({ lines }) => lines.length === 0);
  if (whole !== undefined) needed.add(whole);
  const excess = new Set(grown.filter((each) => !needed.has(each)).slice(maxReplaced));
  return excess.has(settlement) ? settlements : grown.filter((each) => !excess.has(each));
}

function latestFirst(a: Settlement, b: Settlement): number {
  return b.timestamp - a.timestamp || (a.fingerprint < b.fingerprint ? -1 : 1);
}

/** Compares a settlement with the stored ones of its ticket that share a line with it. */
export function classifySettlement(
  settlements: readonly Settlement[],
  settlement: Settlement,
): 'new' | 'repeat' | 'conflict' {
  const own = new Set(settlement.lines.map(({ line_id }) => line_id));
  const rivals = settlements.filter(
    ({ lines }) => lines.length === 0 || own.size === 0 || lines.some(({ line_id }) => own.has(line_id)),
  );
  if (rivals.length === 0) return 'new';
  return rivals.some((rival) => sameMoney(rival, settlement)) ? 'repeat' : 'conflict';
}

function sameMoney(a: Settlement, b: Settlement): boolean {
  return a.amount === b.amount && a.currency === b.currency && a.exchange_rate === b.exchange_rate;
}

export function settlementOf(event: EventOf<'lottery'>, fingerprint: string): Settlement {
  const { timestamp, amount, currency, exchange_rate, draw_date, draw_numbers = [] } = event;
  const { draw_special_numbers, origin, meta } = event;
  return {
    timestamp,
    fingerprint,
    amount,
    currency,
    exchange_rate,
    draw_date,
    draw_numbers,
    ...(draw_special_numbers !== undefined && { draw_special_numbers }),
    lines: settledLines(event),
    origin,
    ...(meta !== undefined && { meta }),
  };
}

/** If a message contains a line_id twice, the last entry counts. */
function settledLines({ lines }: EventOf<'lottery'>): SettledLine[] {
  const distinct = new Map<string, SettledLine>();
  for (const { line_id, matched_numbers, matched_special_numbers, is_winning_line, meta } of lines) {
    distinct.set(line_id, {
      line_id,
      ...(matched_numbers !== undefined && { matched_numbers }),
      ...(matched_special_numbers !== undefined && { matched_special_numbers }),
      ...(is_winning_line !== undefined && { is_winning_line }),
      ...(meta !== undefined && { meta }),
    });
  }
  return [...distinct.values()];
}
