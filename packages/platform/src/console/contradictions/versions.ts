import type { EventOf, Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { type JournalEntry, type ListedPayment, listPayments, timeline } from '../../derive/index.ts';
import type { Ledger, LedgerEvent } from '../../ledger/index.ts';
import { readStored } from '../feed/described-event.ts';
import { positionText } from '../feed/position.ts';
import { gather } from '../paging/gather.ts';

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

/** Payments of a player that are looked through for one: those with the same contradiction first, then the newest. */
const maxPayments = 200;
/** Events of a player that are looked through for those of one payment. */
const stretch = 200;
const maxStretches = 5;

/**
 * The payment that an event belongs to, with all its events that derive has come to. Null when the event is no payment
 * or its payment lies too far back to be found within the limits above.
 */
export async function paymentOf(
  deps: Deps,
  brand: Brand,
  entry: JournalEntry,
  source: LedgerEvent,
): Promise<PaymentWithVersions | null> {
  const event = readPayment(brand, source);
  if (event === null || entry.player_id === null) return null;
  const payment = await findPayment(deps.pool, entry.player_id, event, entry.verdict === 'conflict');
  if (payment === undefined) return null;
  const times = new Set(payment.events.map(({ timestamp }) => timestamp));
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
  conflicting: boolean,
): Promise<ListedPayment | undefined> {
  for (const filter of [conflicting ? { type, conflicting } : { type, orphan: true }, { type }]) {
    const payments = await listPayments(pool, playerId, filter, maxPayments);
    const found = payments.find((payment) => payment.payment_id !== null && payment.payment_id === payment_id);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function entriesAt(pool: Pool, playerId: number, times: ReadonlySet<Micros>): Promise<JournalEntry[]> {
  const earliest = Math.min(...times);
  const { items } = await gather<JournalEntry>(
    async (_missing, before) => {
      const { entries, next } = await timeline(pool, playerId, { kinds: ['payment'] }, stretch, before);
      const past = (entries.at(-1)?.at ?? earliest) < earliest;
      return { items: entries, next: past ? null : next };
    },
    (entry) => entry.at !== null && times.has(entry.at),
    { limit: stretch, before: undefined, maxReads: maxStretches },
  );
  return items;
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
