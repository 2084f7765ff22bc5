import type { EventKind } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import type { PartsChange } from '../../totals/index.ts';
import type { Verdict } from '../../verdict.ts';
import { meetVersions } from '../../versions.ts';
import { partsOfPurchase, partsOfTicket } from './parts.ts';
import {
  type Purchase,
  purchaseFact,
  purchaseKey,
  purchaseVersion,
  sameMoney as samePurchaseMoney,
  withPurchase,
} from './purchase.ts';
import { meetSettlements, settlementOf, withSettlement } from './settlements.ts';
import { sameMoney, type Ticket, ticketBet, ticketFact, ticketKey, withBet } from './ticket.ts';

export interface Changed<T> {
  fact: T;
  timeZone: string;
}

export interface LotteryDecision {
  /** Facts that are no longer as they were; repeats change none. */
  purchases: Changed<Purchase>[];
  tickets: Changed<Ticket>[];
  parts: PartsChange[];
  verdicts: Map<DerivedEvent, Verdict>;
  /** Settlements of earlier batches that have found their Bet. */
  resolved: { brand_id: number; kind: EventKind; orphans: number }[];
}

export interface Arrival<K extends 'lottery' | 'lottery_purchase'> {
  source: DerivedEvent<K>;
  key: string;
  fingerprint: string;
}

export function purchaseArrival(source: DerivedEvent<'lottery_purchase'>): Arrival<'lottery_purchase'> {
  return { source, key: purchaseKey(source.event.transaction_id), fingerprint: fingerprintOf(source) };
}

export function ticketArrival(source: DerivedEvent<'lottery'>): Arrival<'lottery'> {
  return { source, key: ticketKey(source.event), fingerprint: fingerprintOf(source) };
}

export function keyOf(player_id: number, key: string): string {
  return `${player_id}:${key}`;
}

/** Applies a batch to the purchases and tickets that it touches. Pure: from those held before, by `nameOf`, to those after. */
export function decide(
  held: { purchases: ReadonlyMap<string, Purchase>; tickets: ReadonlyMap<string, Ticket> },
  arrivals: { purchases: readonly Arrival<'lottery_purchase'>[]; tickets: readonly Arrival<'lottery'>[] },
): LotteryDecision {
  const decision: LotteryDecision = { purchases: [], tickets: [], parts: [], verdicts: new Map(), resolved: [] };
  const nameOfArrival = ({ source, key }: Arrival<'lottery' | 'lottery_purchase'>) => keyOf(source.player_id, key);
  for (const [name, own] of Map.groupBy(arrivals.purchases, nameOfArrival)) {
    decidePurchase(held.purchases.get(name), own, decision);
  }
  for (const [name, own] of Map.groupBy(arrivals.tickets, nameOfArrival)) {
    decideTicket(held.tickets.get(name), own, decision);
  }
  return decision;
}

function decidePurchase(
  before: Purchase | undefined,
  arrivals: readonly Arrival<'lottery_purchase'>[],
  decision: LotteryDecision,
): void {
  const [first] = arrivals;
  if (first === undefined) return;
  const known = before?.versions ?? [];
  let versions = known;
  for (const { source, fingerprint } of arrivals) {
    const version = purchaseVersion(source.event, fingerprint);
    const ofKey = versions.filter(({ status }) => status === version.status);
    const outcome = meetVersions(ofKey, version, samePurchaseMoney);
    if (outcome !== 'new') decision.verdicts.set(source, outcome);
    versions = withPurchase(versions, version);
  }
  if (versions === known) return;
  const { brand_id, player_id, settings, event } = first.source;
  const identity = { player_id, purchase_key: first.key, transaction_id: event.transaction_id };
  const after = purchaseFact(identity, versions, settings.time_zone);
  decision.purchases.push({ fact: after, timeZone: settings.time_zone });
  decision.parts.push({ brand_id, before: partsOfPurchase(before), after: partsOfPurchase(after) });
}

function decideTicket(
  before: Ticket | undefined,
  arrivals: readonly Arrival<'lottery'>[],
  decision: LotteryDecision,
): void {
  const [first] = arrivals;
  if (first === undefined) return;
  const known = { bets: before?.bets ?? [], settlements: before?.settlements ?? [] };
  let { bets, settlements } = known;
  const fresh: DerivedEvent[] = [];
  for (const { source, fingerprint } of arrivals) {
    const { event } = source;
    if (event.type === 'Bet') {
      const bet = ticketBet(event, fingerprint);
      const merged = meetVersions(bets, bet, sameMoney);
      if (merged !== 'new') decision.verdicts.set(source, merged);
      bets = withBet(bets, bet);
    } else {
      const settlement = settlementOf(event, fingerprint);
      const met = meetSettlements(settlements, settlement);
      if (met === 'new') fresh.push(source);
      else decision.verdicts.set(source, met);
      settlements = withSettlement(settlements, settlement);
    }
  }
  if (bets === known.bets && settlements === known.settlements) return;
  const { brand_id, player_id, settings, event } = first.source;
  const { ticket_id, lottery_id, draw_id } = event;
  const identity = { player_id, ticket_key: first.key, ticket_id, lottery_id, draw_id };
  const timeZone = settings.time_zone;
  const after = ticketFact(identity, bets, settlements, timeZone);
  decision.tickets.push({ fact: after, timeZone });
  decision.parts.push({ brand_id, before: partsOfTicket(before, timeZone), after: partsOfTicket(after, timeZone) });
  const orphans = after.state === 'orphan' ? fresh : [];
  for (const source of orphans) decision.verdicts.set(source, 'orphan');
  // What was an orphan, or arrived as one, and is none any more.
  const found = (before?.orphans ?? 0) + orphans.length - after.orphans;
  if (found !== 0) decision.resolved.push({ brand_id, kind: 'lottery', orphans: found });
}
