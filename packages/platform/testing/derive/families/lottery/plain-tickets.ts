import fc from 'fast-check';
import {
  earliest,
  inBase,
  type MoneyBody,
  moneyFields,
  moneyOf,
  ofUsers,
  type PlainFact,
  type PlainLottery,
  type PlainMoment,
  type Printed,
} from './plain.ts';

export interface TicketBody extends MoneyBody {
  ticket_id: string;
  lottery_id: string;
  draw_id: string;
  draw_date: string;
  draw_numbers: readonly number[];
  type: 'Bet' | 'Settlement';
  lines: { line_id: number; is_winning_line?: boolean; matched_numbers?: readonly number[] }[];
  discount_amount?: number;
}

const line = fc.record(
  { line_id: fc.integer({ min: 1, max: 3 }), is_winning_line: fc.boolean(), matched_numbers: fc.constant([7]) },
  { requiredKeys: ['line_id'] },
);

const fields = {
  ...moneyFields,
  ticket_id: fc.constantFrom('t1', 't1', 't2'),
  lottery_id: fc.constantFrom('7', '7', '649'),
  draw_id: fc.constantFrom('d1', 'd1', 'd2'),
  draw_date: fc.constantFrom('2026-05-01T18:00:00Z', '2026-05-02T18:00:00Z'),
  draw_numbers: fc.constant([1, 2, 7]),
  type: fc.constantFrom('Bet' as const, 'Settlement' as const, 'Settlement' as const),
  lines: fc.array(line, { maxLength: 3 }),
  discount_amount: fc.constantFrom(0.5, 2),
};

const body: fc.Arbitrary<TicketBody> = fc.record(fields, {
  requiredKeys: [
    ...(['user_id', 'ticket_id', 'lottery_id', 'draw_id', 'draw_date', 'draw_numbers', 'type', 'lines'] as const),
    ...(['timestamp', 'amount', 'currency', 'exchange_rate', 'origin'] as const),
  ],
});

/** An earlier event with one part changed: a line settled twice, a ticket bet twice. */
const contradiction = fc.tuple(
  fc.nat(),
  fc.oneof(
    fc.record({ amount: fields.amount }),
    fc.record({ lines: fields.lines }),
    fc.record({ timestamp: fields.timestamp }),
    fc.record({ timestamp: fields.timestamp, amount: fields.amount, lines: fields.lines }),
    fc.record({ type: fields.type }),
  ),
);

export const ticketHistory: fc.Arbitrary<TicketBody[]> = fc
  .tuple(fc.array(body, { minLength: 1, maxLength: 14 }), fc.array(contradiction, { maxLength: 14 }))
  .map(([bodies, contradictions]) => {
    const all = [...bodies];
    for (const [of, other] of contradictions) all.push({ ...(all[of % all.length] as TicketBody), ...other });
    return all;
  });

/** Every player's tickets from the set of all bodies, by user_id. */
export function plainTickets(brandId: number, bodies: readonly TicketBody[]): Map<string, PlainLottery> {
  return new Map(
    [...ofUsers(brandId, 'lottery', bodies)].map(([user, events]) => {
      const groups = Map.groupBy(events, (event) => `${event.ticket_id} ${event.lottery_id} ${event.draw_id}`);
      const tickets = [...groups].map(([id, own]) => plainTicket(id, own));
      return [user, { facts: tickets.map(({ fact }) => fact), moments: tickets.flatMap(({ moments }) => moments) }];
    }),
  );
}

type Event = Printed<TicketBody>;

function plainTicket(id: string, events: readonly Event[]): { fact: PlainFact; moments: PlainMoment[] } {
  const bets = events.filter((event) => event.type === 'Bet');
  const bet = bets.length === 0 ? undefined : earliest(bets);
  const settlements = events.filter((event) => event.type === 'Settlement');
  const bought = [...new Set((bet?.lines ?? []).map((each) => each.line_id))];
  const linesOf = (event: Event) =>
    event.lines.length > 0 ? [...new Set(event.lines.map((each) => each.line_id))] : bought;
  // The settlement that decides a line: the latest one that names the line or names no lines.
  const speaker = (line_id: number) =>
    latest(settlements.filter((e) => e.lines.length === 0 || linesOf(e).includes(line_id)));
  const whole = latest(settlements.filter((event) => event.lines.length === 0));
  const standing = settlements.filter((event) => {
    if (event.lines.length === 0 && bought.length === 0) return event === whole;
    return linesOf(event).some((line_id) => speaker(line_id) === event);
  });
  const rivalled = settlements.filter((event) => {
    const rivals = linesOf(event).map(speaker);
    if (event.lines.length === 0) rivals.push(whole);
    return rivals.some(
      (rival) => rival !== undefined && rival.print !== event.print && moneyOf(rival) !== moneyOf(event),
    );
  });
  const winning = (event: Event) => {
    const last = new Map(event.lines.map((each) => [each.line_id, each.is_winning_line === true]));
    return [...last].filter(([line_id, wins]) => wins && bought.includes(line_id) && speaker(line_id) === event).length;
  };
  const paying = bet === undefined ? [] : standing;
  const settled = bought.filter((line_id) => speaker(line_id) !== undefined).length;
  const full = settled === bought.length ? 'settled' : 'partly_settled';
  const fact: PlainFact = {
    id,
    state: bet === undefined ? 'orphan' : standing.length === 0 ? 'open' : full,
    at: bet?.at ?? Math.min(...settlements.map((event) => event.at)),
    orphans: bet === undefined ? standing.length : 0,
    conflicts: Math.max(new Set(bets.map(moneyOf)).size - 1, 0) + rivalled.length,
    stake: bet === undefined ? null : inBase(bet, bet.amount),
    payout: paying.reduce((sum, event) => sum + inBase(event, event.amount), 0n),
    lines: bought.length,
    settled,
    winning: paying.reduce((sum, event) => sum + winning(event), 0),
  };
  return {
    fact,
    moments: bet === undefined ? [] : [momentOfBet(bet, bought.length), ...paying.map((e) => payout(e, winning(e)))],
  };
}

function latest(rivals: readonly Event[]): Event | undefined {
  return [...rivals].sort((a, b) => b.at - a.at || (a.print < b.print ? -1 : 1))[0];
}

function momentOfBet(bet: Event, lines: number): PlainMoment {
  const stake = inBase(bet, bet.amount);
  return {
    at: bet.at,
    lottery_id: bet.lottery_id,
    counts: { bet_count: 1, ticket_count: 1, line_count: lines },
    sums: { real_bet_sum: stake, discount_sum: inBase(bet, bet.discount_amount ?? 0) },
    biggest: { bet: stake },
  };
}

function payout(event: Event, winning: number): PlainMoment {
  const won = inBase(event, event.amount);
  return {
    at: event.at,
    lottery_id: event.lottery_id,
    counts: { win_count: event.amount > 0 ? 1 : 0, winning_line_count: winning },
    sums: { real_win_sum: won },
    biggest: event.amount > 0 ? { win: won } : {},
  };
}
