import type { EventOf, Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import {
  type JournalEntry,
  type JournalFilter,
  type ListedPayment,
  listPayments,
  timeline,
} from '../../derive/index.ts';
import type { Ledger, LedgerEvent } from '../../ledger/index.ts';
import { readStored } from '../feed/described-event.ts';
import { positionText } from '../feed/position.ts';

/** One event of a payment, and where it stands in the ledger. */
export interface PaymentVersion {
  position: string;
  status: string;
  timestamp: Micros;
  received_at: Micros;
  amount: string;
  currency: string;
  exchange_rate: string;
  in_force: boolean;
}

export interface PaymentWithVersions {
  payment: ListedPayment;
  versions: PaymentVersion[];
}

interface Deps {
  pool: Pool;
  ledger: Ledger;
}

/** Times of a payment's events that are looked up: more than the statuses that it can go through some times over. */
const maxTimes = 50;
/** Events of a player at one microsecond: versions and their repeats. */
const maxEntriesAtOnce = 200;

/**
 * The payment that an event belongs to, with its events that derive has come to, within the limits above. Null when the
 * event is no payment, or one without a payment_id.
 */
export async function paymentOf(
  deps: Deps,
  brand: Brand,
  entry: JournalEntry,
  source: LedgerEvent,
): Promise<PaymentWithVersions | null> {
  const event = readPayment(brand, source);
  if (event === null || entry.player_id === null) return null;
  const payment = await findPayment(deps.pool, entry.player_id, event);
  if (payment === undefined) return null;
  const times = [...new Set(payment.events.map(({ timestamp }) => timestamp))].slice(-maxTimes);
  const entries = await entriesAt(deps.pool, entry.player_id, times);
  const sources = await deps.ledger.at(entries.map(({ position }) => position));
  const versions = sources.flatMap((each) => {
    const read = readPayment(brand, each);
    return read !== null && samePayment(read, event) ? [versionOf(read, each, payment)] : [];
  });
  return { payment, versions: versions.toSorted((a, b) => a.timestamp - b.timestamp || a.received_at - b.received_at) };
}

function readPayment(brand: Brand, source: LedgerEvent): EventOf<'payment'> | null {
  const { event } = readStored(source, brand);
  return event?.kind === 'payment' ? event : null;
}

function samePayment(a: EventOf<'payment'>, b: EventOf<'payment'>): boolean {
  return a.payment_id !== undefined && a.payment_id === b.payment_id && a.type === b.type;
}

async function findPayment(
  pool: Pool,
  playerId: number,
  { payment_id, type }: EventOf<'payment'>,
): Promise<ListedPayment | undefined> {
  if (payment_id === undefined) return undefined;
  const [payment] = await listPayments(pool, playerId, { type, payment_id }, 1);
  return payment;
}

async function entriesAt(pool: Pool, playerId: number, times: readonly Micros[]): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (const at of times) {
    const filter: JournalFilter = { kinds: ['payment'], from: at, to: at };
    entries.push(...(await timeline(pool, playerId, filter, maxEntriesAtOnce)).entries);
  }
  return entries;
}

function versionOf(event: EventOf<'payment'>, source: LedgerEvent, payment: ListedPayment): PaymentVersion {
  const { status, timestamp, amount, currency, exchange_rate } = event;
  const in_force =
    payment.counted &&
    status === 'Approved' &&
    timestamp === payment.at &&
    amount === payment.amount &&
    currency === payment.currency &&
    exchange_rate === payment.exchange_rate;
  const position = positionText(source.position);
  return { position, status, timestamp, received_at: source.received_at, amount, currency, exchange_rate, in_force };
}
