import fc from 'fast-check';
import { floodOf } from '../../histories.ts';
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

export interface PurchaseBody extends MoneyBody {
  transaction_id: string;
  status: string;
  tickets: { ticket_id: string; product_name?: string; amount?: number; lines_count?: number }[];
  bonus_amount?: number;
}

const ticket = fc.record(
  {
    ticket_id: fc.constantFrom('t1', 't2'),
    product_name: fc.constantFrom('Lotto', 'Euro'),
    amount: fc.constantFrom(5, 10, 0.1),
    lines_count: fc.constantFrom(1, 3, 20_000),
  },
  { requiredKeys: ['ticket_id'] },
);

const fields = {
  ...moneyFields,
  transaction_id: fc.constantFrom('x1', 'x2', 'x3'),
  status: fc.constantFrom('Approved', 'Approved', 'Rejected', 'Pending'),
  tickets: fc.array(ticket, { maxLength: 3 }),
  bonus_amount: fc.constantFrom(0, 1, 7, 100),
};

const body: fc.Arbitrary<PurchaseBody> = fc.record(fields, {
  requiredKeys: [
    ...(['user_id', 'transaction_id', 'status', 'tickets', 'timestamp'] as const),
    ...(['amount', 'currency', 'exchange_rate', 'origin'] as const),
  ],
});

/** An earlier event with one part changed, which makes a contradiction. */
const contradiction = fc.tuple(
  fc.nat(),
  fc.oneof(
    fc.record({ amount: fields.amount }),
    fc.record({ tickets: fields.tickets }),
    fc.record({ timestamp: fields.timestamp }),
    fc.record({ status: fields.status }),
  ),
);

export const purchaseHistory: fc.Arbitrary<PurchaseBody[]> = fc
  .tuple(
    fc.array(body, { minLength: 1, maxLength: 12 }),
    fc.array(contradiction, { maxLength: 12 }),
    floodOf(fc.record({ timestamp: fields.timestamp, tickets: fields.tickets })),
  )
  .map(([bodies, contradictions, flood]) => {
    const all = [...bodies];
    for (const [of, other] of contradictions) all.push({ ...(all[of % all.length] as PurchaseBody), ...other });
    const flooded = all[flood.of % all.length] as PurchaseBody;
    return [...all, ...flood.others.map((other) => ({ ...flooded, ...other }))];
  });

/** Every player's purchases from the set of all bodies, by user_id. */
export function plainPurchases(brandId: number, bodies: readonly PurchaseBody[]): Map<string, PlainLottery> {
  return new Map(
    [...ofUsers(brandId, 'lottery_purchase', bodies)].map(([user, events]) => {
      const purchases = [...Map.groupBy(events, (event) => event.transaction_id).values()].map(plainPurchase);
      return [user, { facts: purchases.map(({ fact }) => fact), moments: purchases.flatMap(({ moments }) => moments) }];
    }),
  );
}

const mostVersions = 20;

function plainPurchase(events: readonly Printed<PurchaseBody>[]): { fact: PlainFact; moments: PlainMoment[] } {
  const byStatus = Map.groupBy(events, (event) => event.status);
  const [approved, rejected] = [byStatus.get('Approved'), byStatus.get('Rejected')];
  const shown = earliest(approved ?? rejected ?? events);
  const monies = [...byStatus.values()].map((rivals) => new Set(rivals.map(moneyOf)).size);
  const conflicts = monies.reduce((sum, count) => sum + Math.min(count, mostVersions) - 1, 0);
  const state = rejected !== undefined ? 'rejected' : approved !== undefined ? 'bought' : 'unapproved';
  const id = shown.transaction_id;
  const own = ownAmounts(shown).join(' ');
  const fact = { id, state, at: shown.at, orphans: 0, conflicts, stake: inBase(shown, shown.amount), own };
  return { fact, moments: state === 'bought' ? momentsOf(shown) : [] };
}

/**
 * The price of each ticket, in hundredths, as it was sent. If no price was sent for the first ticket, it gets the rest of the purchase's
 * amount.
 */
function ownAmounts({ amount, tickets }: PurchaseBody): number[] {
  if (tickets.length === 0) return [Math.round(amount * 100)];
  const priced = tickets.reduce((sum, ticket) => sum + Math.round((ticket.amount ?? 0) * 100), 0);
  const rest = Math.max(0, Math.round(amount * 100) - priced);
  return tickets.map((ticket, i) =>
    ticket.amount === undefined ? (i === 0 ? rest : 0) : Math.round(ticket.amount * 100),
  );
}

/** In hundredths of the currency, ticket by ticket: the part bought with bonus money and the part bought with real money. */
function momentsOf(purchase: Printed<PurchaseBody>): PlainMoment[] {
  let [left, bonusLeft] = [Math.round(purchase.amount * 100), Math.round((purchase.bonus_amount ?? 0) * 100)];
  const wanted = purchase.tickets.map(({ amount = 0 }) => Math.round(amount * 100));
  const shares = wanted.map((amount) => {
    const share = Math.min(amount, left);
    left -= share;
    return share;
  });
  shares[0] = (shares[0] ?? 0) + left;
  const moments: PlainMoment[] = [];
  for (const [i, share] of shares.entries()) {
    const bonus = Math.min(share, bonusLeft);
    bonusLeft -= bonus;
    const bought = purchase.tickets[i];
    moments.push({
      at: purchase.at,
      lottery_id: bought?.product_name ?? '',
      counts: {
        bet_count: i === 0 ? 1 : 0,
        ticket_count: bought === undefined ? 0 : 1,
        line_count: Math.min(bought?.lines_count ?? 0, 10_000),
      },
      sums: {
        real_bet_sum: inBase(purchase, (share - bonus) / 100),
        bonus_bet_sum: inBase(purchase, bonus / 100),
      },
      biggest: i === 0 ? { bet: inBase(purchase, purchase.amount) } : {},
    });
  }
  return moments;
}
