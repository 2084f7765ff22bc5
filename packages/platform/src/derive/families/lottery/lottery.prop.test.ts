import { dayOf } from '@croupier/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent, testSettings } from '../../../../testing/derive/event.ts';
import type { PlainFact, PlainLottery, PlainMoment } from '../../../../testing/derive/families/lottery/plain.ts';
import {
  type PurchaseBody,
  plainPurchases,
  purchaseHistory,
} from '../../../../testing/derive/families/lottery/plain-purchases.ts';
import {
  plainTickets,
  type TicketBody,
  ticketHistory,
} from '../../../../testing/derive/families/lottery/plain-tickets.ts';
import { applyTo, arrivalsOf } from '../../../../testing/derive/histories.ts';
import { deltasOf } from '../../totals/deltas.ts';
import { partsOfPurchase, partsOfTicket } from './parts.ts';
import type { Purchase } from './purchase.ts';
import { lotteryPurchases } from './purchases.ts';
import type { Ticket } from './ticket.ts';
import { lotteryTickets } from './tickets.ts';

/*
 * Order independence (docs/reference/design.md 2.3). Random histories have repeats, contradictions, tickets settled before they
 * are bet, and lines settled twice. Shuffled and split into random batches, they must give the facts and totals of a plain
 * recomputation without batches. A failure prints its seed and path; pass them to fc.assert to reproduce it.
 */
const brandId = 7;
const users = ['a', 'b'];
const settings = testSettings({ time_zone: 'Europe/Malta' });

test('P3, version 1: any order, repetition and batching gives the same purchases and totals', () => {
  fc.assert(
    fc.property(
      purchaseHistory.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      ([bodies, batches]) => {
        const state = newState();
        for (const batch of batches) apply(state, { purchases: batch, tickets: [] });
        expectPlain(state, [...state.purchases.values()].map(asPlainPurchase), plainPurchases(brandId, bodies));
      },
    ),
    { numRuns: 1_200 },
  );
}, 60_000);

test('P3, version 2: any order, repetition and batching gives the same tickets and totals', () => {
  fc.assert(
    fc.property(
      ticketHistory.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      ([bodies, batches]) => {
        const state = newState();
        for (const batch of batches) apply(state, { purchases: [], tickets: batch });
        expectPlain(state, [...state.tickets.values()].map(asPlainTicket), plainTickets(brandId, bodies));
        // The reported numbers of orphans add up to the orphans that exist.
        const orphans = [...state.tickets.values()].reduce((sum, ticket) => sum + ticket.orphans, 0);
        expect(state.orphanVerdicts - state.resolved).toBe(orphans);
      },
    ),
    { numRuns: 1_500 },
  );
}, 60_000);

test('P2: applying every event again changes nothing; each is a repeat or a conflict', () => {
  fc.assert(
    fc.property(purchaseHistory, ticketHistory, (purchases, tickets) => {
      const state = newState();
      apply(state, { purchases, tickets });
      const { purchases: own, tickets: others } = eventsOf({ purchases, tickets });
      const decisions = [
        applyTo(lotteryPurchases, state.purchases, own),
        applyTo(lotteryTickets, state.tickets, others),
      ];
      for (const { changes, resolved } of decisions) expect([changes, resolved]).toEqual([[], []]);
      const verdicts = decisions.flatMap((decision) => [...decision.verdicts.values()]);
      expect(verdicts.filter((verdict) => verdict !== 'repeat' && verdict !== 'conflict')).toEqual([]);
      expect(verdicts.length).toBe(purchases.length + tickets.length);
    }),
    { numRuns: 300 },
  );
});

/** The incremental code, with maps instead of tables. */
function newState() {
  return {
    purchases: new Map<string, Purchase>(),
    tickets: new Map<string, Ticket>(),
    totals: new Map<string, bigint>(),
    orphanVerdicts: 0,
    resolved: 0,
  };
}

interface Bodies {
  purchases: readonly PurchaseBody[];
  tickets: readonly TicketBody[];
}

function eventsOf({ purchases, tickets }: Bodies) {
  const of = (user: string) => ({ player_id: users.indexOf(user), brand_id: brandId, settings });
  return {
    purchases: purchases.map((body) => derivedEvent('lottery_purchase', { ...body }, of(body.user_id))),
    tickets: tickets.map((body) => derivedEvent('lottery', { ...body }, of(body.user_id))),
  };
}

function apply(state: ReturnType<typeof newState>, bodies: Bodies): void {
  const events = eventsOf(bodies);
  const ofPurchases = applyTo(lotteryPurchases, state.purchases, events.purchases);
  const ofTickets = applyTo(lotteryTickets, state.tickets, events.tickets);
  // Converts the facts to JSON and back, as the tables do.
  for (const [key, fact] of state.purchases) state.purchases.set(key, JSON.parse(JSON.stringify(fact)));
  for (const [key, fact] of state.tickets) state.tickets.set(key, JSON.parse(JSON.stringify(fact)));
  for (const { verdicts, resolved } of [ofPurchases, ofTickets]) {
    state.orphanVerdicts += [...verdicts.values()].filter((verdict) => verdict === 'orphan').length;
    state.resolved += resolved.reduce((sum, { orphans }) => sum + orphans, 0);
  }
  const parts = [
    ...ofPurchases.changes.map(({ brand_id, before, after }) => {
      return { brand_id, before: partsOfPurchase(before), after: partsOfPurchase(after) };
    }),
    ...ofTickets.changes.map(({ brand_id, timeZone, before, after }) => {
      return { brand_id, before: partsOfTicket(before, timeZone), after: partsOfTicket(after, timeZone) };
    }),
  ];
  const { total, day } = deltasOf(parts, 0, ['lottery_id']);
  for (const row of [...total, ...day]) {
    const of = `${row.player_id} ${row.by.join()} ${row.period ?? 'ever'}`;
    for (const [column, by] of row.counts) add(state.totals, `${of} ${column}`, BigInt(by));
    for (const [column, by] of row.sums) add(state.totals, `${of} ${column}`, BigInt(by.times(1_000_000).toFixed()));
  }
}

function expectPlain(
  state: ReturnType<typeof newState>,
  facts: readonly (PlainFact & { player_id: number })[],
  plain: ReadonlyMap<string, PlainLottery>,
): void {
  const moments: Record<string, bigint>[] = [];
  for (const [player, user] of users.entries()) {
    const own = facts.flatMap(({ player_id, ...fact }) => (player_id === player ? [textOf(fact)] : []));
    expect(own.sort()).toEqual((plain.get(user)?.facts ?? []).map(textOf).sort());
    moments.push(plainTotals(player, plain.get(user)?.moments ?? []));
  }
  expect(Object.fromEntries([...state.totals].filter(([, value]) => value !== 0n))).toEqual(
    Object.assign({}, ...moments),
  );
}

function plainTotals(player: number, moments: readonly PlainMoment[]): Record<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { at, lottery_id, counts, sums } of moments) {
    for (const period of ['ever', dayOf('Europe/Malta', at)]) {
      for (const [column, by] of Object.entries({ ...counts, ...sums })) {
        add(totals, `${player} ${lottery_id} ${period} ${column}`, BigInt(by));
      }
    }
  }
  return Object.fromEntries([...totals].filter(([, value]) => value !== 0n));
}

function add(totals: Map<string, bigint>, name: string, by: bigint): void {
  totals.set(name, (totals.get(name) ?? 0n) + by);
}

function asPlainPurchase(purchase: Purchase): PlainFact & { player_id: number } {
  const { player_id, transaction_id: id, state, at, conflicts, base_amount, versions } = purchase;
  const tickets = versions[0]?.details?.tickets ?? [];
  const own = tickets.map(({ amount }) => Math.round(Number(amount) * 100)).join(' ');
  return { player_id, id, state, at, orphans: 0, conflicts, stake: millionths(base_amount), own };
}

function asPlainTicket(ticket: Ticket): PlainFact & { player_id: number } {
  const { player_id, ticket_id, lottery_id, draw_id, state, at, orphans, conflicts, base_amount, base_payout } = ticket;
  return {
    player_id,
    id: `${ticket_id} ${lottery_id} ${draw_id}`,
    state,
    at,
    orphans,
    conflicts,
    stake: base_amount === null ? null : millionths(base_amount),
    payout: millionths(base_payout),
    lines: ticket.line_count,
    settled: ticket.settled_line_count,
    winning: ticket.winning_line_count,
  };
}

/** '0.894' as 894000n. */
function millionths(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

function textOf(fact: PlainFact): string {
  return JSON.stringify(fact, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}
