import { describe, expect, test } from 'vitest';
import { derivedEvent } from '../../../../testing/derive/event.ts';
import { applyTo } from '../../../../testing/derive/histories.ts';
import { listedTicket } from './listed-ticket.ts';
import { partsOfPurchase } from './parts.ts';
import type { Purchase } from './purchase.ts';
import { lotteryPurchases } from './purchases.ts';
import { maxReplaced, type Settlement, withSettlement } from './settlements.ts';
import type { Ticket } from './ticket.ts';
import { lotteryTickets } from './tickets.ts';

/*
 * The tickets that a few events make, each one second after the previous one. `Bet 1,2 10` bets 10 on lines 1 and 2;
 * `Settle 1+,2 5` settles them with a payout of 5, of which line 1 wins; `Settle - 5` has no lines.
 */
function ticketBody(text: string, second: number): Record<string, unknown> {
  const [what, lines = '-', amount] = text.split(' ');
  return {
    user_id: 'a',
    ticket_id: 't',
    lottery_id: '7',
    draw_id: 'd',
    draw_date: '2026-05-02T18:00:00Z',
    type: what === 'Bet' ? 'Bet' : 'Settlement',
    draw_numbers: [1, 2, 3],
    amount,
    currency: 'EUR',
    exchange_rate: 1,
    origin: 'o',
    timestamp: new Date(Date.UTC(2026, 4, 1, 10, 0, second)).toISOString(),
    lines: (lines === '-' ? [] : lines.split(',')).map((line) => {
      return { line_id: Number.parseInt(line, 10), is_winning_line: line.endsWith('+'), matched_numbers: [second] };
    }),
  };
}

function decided(bodies: readonly Record<string, unknown>[]) {
  const held = new Map<string, Ticket>();
  const verdicts: string[] = [];
  for (const body of bodies) {
    const event = derivedEvent('lottery', body, { player_id: 1 });
    verdicts.push(applyTo(lotteryTickets, held, [event]).verdicts.get(event) ?? 'applied');
  }
  const [ticket] = [...held.values()];
  if (ticket === undefined) throw new Error('no ticket');
  return { ticket, verdicts };
}

describe('version 2: lines joined over several messages (docs/reference/decisions.md 2.9)', () => {
  test.each<[events: string[], shown: string]>([
    [['Bet 1,2 10'], 'open 0/2 0'],
    [['Bet 1,2 10', 'Settle 1,2 0'], 'settled 2/2 0'],
    [['Bet 1,2 10', 'Settle 1+,2 5'], 'settled 2/2 5, 1 wins'],
    [['Settle 1+,2 5', 'Bet 1,2 10'], 'settled 2/2 5, 1 wins'],
    // One message per line.
    [['Bet 1,2 10', 'Settle 1+ 5'], 'partly_settled 1/2 5, 1 wins'],
    [['Bet 1,2 10', 'Settle 1+ 5', 'Settle 2+ 7'], 'settled 2/2 12, 2 wins'],
    // A line settled twice: the latest is in force. A message whose lines were all settled again has no effect.
    [['Bet 1 10', 'Settle 1+ 5', 'Settle 1 0'], 'settled 1/1 0, 1 conflict'],
    [['Bet 1 10', 'Settle 1+ 5', 'Settle 1+ 5'], 'settled 1/1 5, 1 wins'],
    [['Bet 1,2 10', 'Settle 1+,2+ 5', 'Settle 2 3'], 'settled 2/2 8, 1 wins, 1 conflict'],
    [['Bet 1,2 10', 'Settle 1,2 5', 'Settle 2 3', 'Settle 1 4'], 'settled 2/2 7, 1 conflict'],
    // If a line occurs twice in one message, the last entry counts.
    [['Bet 1,1 10', 'Settle 1,1+ 5'], 'settled 1/1 5, 1 wins'],
    // The message settles a line that was not bet.
    [['Bet 1 10', 'Settle 9+ 5'], 'partly_settled 0/1 5'],
    // A message without lines settles the whole ticket.
    [['Bet - 10', 'Settle - 5'], 'settled 0/0 5'],
    [['Bet 1,2 10', 'Settle - 5'], 'settled 2/2 5'],
    [['Bet 1,2 10', 'Settle 1+,2 7', 'Settle - 5'], 'settled 2/2 5, 1 conflict'],
    [['Bet 1,2 10', 'Settle - 5', 'Settle 1+ 7'], 'settled 2/2 12, 1 wins, 1 conflict'],
    [['Bet 1,2 10', 'Settle - 5', 'Settle 1+,2 7'], 'settled 2/2 7, 1 wins, 1 conflict'],
    // Two bets: the earliest is in force.
    [['Bet 1 10', 'Bet 1,2 20'], 'open 0/1 0, 1 conflict'],
    // The Bet is missing.
    [['Settle 1+ 5'], 'orphan 0/0 0, 1 orphans'],
    [['Settle 1+ 5', 'Settle 2 5'], 'orphan 0/0 0, 2 orphans'],
    [['Settle 1+ 5', 'Settle 1 5'], 'orphan 0/0 0, 1 orphans'],
  ])('%j: %s', (events, shown) => {
    const { ticket } = decided(events.map(ticketBody));
    const { state, settled_line_count: settled, line_count: lines, base_payout } = ticket;
    const more = [
      [ticket.winning_line_count, 'wins'],
      [ticket.conflicts, 'conflict'],
      [ticket.orphans, 'orphans'],
    ] as const;
    const notes = more.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
    expect([`${state} ${settled}/${lines} ${base_payout}`, ...notes].join(', ')).toBe(shown);
  });

  test('verdicts', () => {
    const texts = ['Settle 1 5', 'Settle 2 7', 'Settle 1 5', 'Settle 1 6', 'Bet 1,2 10', 'Bet 1 10', 'Bet 1 11'];
    const expected = ['orphan', 'orphan', 'repeat', 'conflict', 'applied', 'repeat', 'conflict'];
    expect(decided(texts.map(ticketBody)).verdicts).toEqual(expected);
  });

  test('lines are listed with what was played and the result', () => {
    const { ticket } = decided(['Bet 1,2 10', 'Settle 1+ 5', 'Settle 9 0'].map(ticketBody));
    const { ticket_key: key, bets, settlements } = ticket;
    const row = {
      ...ticket,
      version: 2 as const,
      transaction_id: null,
      key,
      position: 0,
      purchase: null,
      ticket: null,
    };
    const listed = listedTicket({ ...row, bet: bets[0] ?? null, all_settlements: [...settlements] });
    expect(listed.lines).toEqual([
      { line_id: '1', bought: true, settled: true, is_winning_line: true, matched_numbers: [1] },
      { line_id: '2', bought: true, settled: false },
      { line_id: '9', bought: false, settled: true, is_winning_line: false, matched_numbers: [2] },
    ]);
  });

  test('only a limited number of replaced settlements is stored, the same ones in any order', () => {
    const all = Array.from({ length: 60 }, (_, i): Settlement => {
      return {
        timestamp: i,
        fingerprint: String(i).padStart(32, '0'),
        amount: String(i),
        currency: 'EUR',
        exchange_rate: '1',
        draw_date: 0,
        draw_numbers: [],
        origin: 'o',
        lines: i % 10 === 0 ? [] : [{ line_id: String(i % 3) }],
      };
    });
    const retained = (settlements: readonly Settlement[]) =>
      settlements.reduce<readonly Settlement[]>(withSettlement, []).map(({ timestamp }) => timestamp);
    const expected = retained(all);
    // The latest settlement of each line is kept, the latest of the whole ticket, and those that were replaced last.
    expect(expected.length).toBe(3 + 1 + maxReplaced);
    expect(retained(all.toReversed())).toEqual(expected);
    expect(retained([...all.slice(30), ...all.slice(0, 30), ...all])).toEqual(expected);
  });
});

describe('version 1: a purchase is split into tickets', () => {
  const purchase = (fields: Record<string, unknown>) => ({
    user_id: 'a',
    transaction_id: 'x',
    status: 'Approved',
    amount: 10,
    currency: 'SEK',
    exchange_rate: 0.5,
    origin: 'o',
    timestamp: '2026-05-01T10:00:00Z',
    tickets: [],
    ...fields,
  });
  const bought = (bodies: readonly Record<string, unknown>[]) => {
    const held = new Map<string, Purchase>();
    const verdicts: string[] = [];
    for (const body of bodies) {
      const event = derivedEvent('lottery_purchase', body, { player_id: 1 });
      verdicts.push(applyTo(lotteryPurchases, held, [event]).verdicts.get(event) ?? 'applied');
    }
    return { purchase: [...held.values()][0], verdicts };
  };
  const lotto = (ticket_id: string, amount?: number) => ({ ticket_id, product_name: 'Lotto', amount, lines_count: 2 });
  const euro = (ticket_id: string, amount?: number) => ({ ticket_id, product_name: 'Euro', amount, lines_count: 3 });

  test.each<[what: string, fields: Record<string, unknown>, shares: string[]]>([
    ['amounts that add up', { tickets: [lotto('1', 4), euro('2', 6)] }, ['Lotto 2+0', 'Euro 3+0']],
    ['bonus money first', { tickets: [lotto('1', 4), euro('2', 6)], bonus_amount: 5 }, ['Lotto 0+2', 'Euro 2.5+0.5']],
    ['without amounts, the first gets everything', { tickets: [lotto('1'), euro('2')] }, ['Lotto 5+0', 'Euro 0+0']],
    ['too little: the first gets the rest', { tickets: [lotto('1', 1), euro('2', 2)] }, ['Lotto 4+0', 'Euro 1+0']],
    [
      'too much: tickets take their amounts in order until the money is used up',
      { tickets: [lotto('1', 8), euro('2', 6)] },
      ['Lotto 4+0', 'Euro 1+0'],
    ],
    ['more bonus than amount: all of it is bonus', { tickets: [lotto('1', 10)], bonus_amount: 99 }, ['Lotto 0+5']],
    ['without tickets, there is one share without a lottery', { tickets: [] }, [' 5+0']],
    ['a direct deposit adds no money', { tickets: [lotto('1', 10)], deposit_amount: 10 }, ['Lotto 5+0']],
  ])('%s: %j', (_what, fields, shares) => {
    const tickets = bought([purchase(fields)]).purchase?.versions[0]?.details?.tickets ?? [];
    expect(tickets.map(({ lottery_id, base_real, base_bonus }) => `${lottery_id} ${base_real}+${base_bonus}`)).toEqual(
      shares,
    );
  });

  test.each<[what: string, fields: Record<string, unknown>, own: string[]]>([
    ['its own amount', { tickets: [lotto('1', 4), euro('2', 6)] }, ['4', '6']],
    ["its own, also where they do not sum to the purchase's", { tickets: [lotto('1', 8), euro('2', 6)] }, ['8', '6']],
    ['its share if it has no amount', { tickets: [lotto('1'), euro('2', 6)] }, ['4', '6']],
    ['the whole amount if there are no tickets', { tickets: [] }, ['10']],
  ])('a ticket shows %s', (_what, fields, own) => {
    const tickets = bought([purchase(fields)]).purchase?.versions[0]?.details?.tickets ?? [];
    expect(tickets.map(({ amount }) => amount)).toEqual(own);
  });

  test('a purchase counts as one bet; its tickets and lines count with their lottery', () => {
    const tickets = [lotto('1', 4), euro('2', 5), { ...lotto('3', 1), lines_count: Number.MAX_SAFE_INTEGER }];
    const parts = partsOfPurchase(bought([purchase({ tickets })]).purchase);
    expect(parts.map(({ by, counts, biggest }) => [by, counts, biggest])).toEqual([
      [{ lottery_id: 'Lotto' }, { bet_count: 1, ticket_count: 2, line_count: 10_002 }, { bet_biggest: '5' }],
      [{ lottery_id: 'Euro' }, { ticket_count: 1, line_count: 3 }, undefined],
    ]);
  });

  test.each<[statuses: string[], state: string, verdicts: string]>([
    [['Approved'], 'bought', 'applied'],
    [['Approved', 'Rejected'], 'rejected', 'applied,applied'],
    [['Rejected', 'Approved'], 'rejected', 'applied,applied'],
    [['Rejected'], 'rejected', 'applied'],
    [['Pending', 'Approved'], 'bought', 'applied,applied'],
    [['Pending', '__proto__'], 'unapproved', 'applied,applied'],
    [['Approved', 'approved'], 'bought', 'applied,repeat'],
  ])('%j: %s', (statuses, state, verdicts) => {
    const bodies = statuses.map((status, i) => purchase({ status, timestamp: `2026-05-01T10:00:0${i}Z` }));
    const result = bought(bodies);
    expect([result.purchase?.state, result.verdicts.join()]).toEqual([state, verdicts]);
  });
});
