import type { ClientBase } from 'pg';
import type { DerivedEvent } from '../../event.ts';
import type { FactOfEvent } from '../../event-fact.ts';
import { type Purchase, purchaseKey } from './purchase.ts';
import { claimsOf } from './settlements.ts';
import { type Ticket, ticketKey } from './ticket.ts';

/** The purchase that a message of version 1 belongs to, with all its messages. */
export async function purchaseOfEvent(
  db: Pick<ClientBase, 'query'>,
  { player_id, event }: DerivedEvent<'lottery_purchase'>,
): Promise<FactOfEvent | undefined> {
  const { transaction_id } = event;
  const { rows } = await db.query<Pick<Purchase, 'state' | 'versions'>>(
    `select state, versions from lottery_purchase where player_id = $1 and purchase_key = decode($2, 'hex')`,
    [player_id, purchaseKey(transaction_id)],
  );
  const [purchase] = rows;
  if (purchase === undefined) return undefined;
  const { state, versions } = purchase;
  return {
    fact: 'purchase',
    key: { transaction_id },
    status: state,
    orphan: false,
    times: versions.map(({ timestamp }) => timestamp),
    inForce: new Set(state === 'bought' ? versions.slice(0, 1).map(({ fingerprint }) => fingerprint) : []),
    isOf: ({ event: other }) => other.kind === 'lottery_purchase' && other.transaction_id === transaction_id,
  };
}

/** The ticket that a message of version 2 belongs to, with its Bets and Settlements. */
export async function ticketOfEvent(
  db: Pick<ClientBase, 'query'>,
  { player_id, event }: DerivedEvent<'lottery'>,
): Promise<FactOfEvent | undefined> {
  const { ticket_id, lottery_id, draw_id } = event;
  const key = ticketKey(event);
  const { rows } = await db.query<Pick<Ticket, 'state' | 'bets' | 'settlements'>>(
    `select state, bets, settlements from lottery_ticket where player_id = $1 and ticket_key = decode($2, 'hex')`,
    [player_id, key],
  );
  const [ticket] = rows;
  if (ticket === undefined) return undefined;
  const { state, bets, settlements } = ticket;
  const [bet] = bets;
  const { inForce } = claimsOf(settlements, bet?.details?.lines ?? []);
  return {
    fact: 'ticket',
    key: { ticket_id, lottery_id, draw_id },
    status: state,
    orphan: state === 'orphan',
    times: [...bets, ...settlements].map(({ timestamp }) => timestamp),
    inForce: new Set(bet === undefined ? [] : [bet, ...inForce].map(({ fingerprint }) => fingerprint)),
    isOf: ({ event: other }) => other.kind === 'lottery' && ticketKey(other) === key,
  };
}
