import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { DerivedEvent } from '../../event.ts';
import type { FactOfEvent } from '../../event-fact.ts';
import type { Balance } from './balance.ts';

/**
 * The balances of a message, with the messages of the same timestamp that share a key. Balances of older moments are
 * not stored.
 */
export async function balanceOfEvent(
  db: Pick<ClientBase, 'query'>,
  { player_id, event }: DerivedEvent<'balances'>,
): Promise<FactOfEvent> {
  const { timestamp } = event;
  const keys = new Set(event.balances.map(({ key }) => key));
  const { rows } = await db.query<Pick<Balance, 'fingerprint'>>(
    `select encode(fingerprint, 'hex') as fingerprint from balance
     where player_id = $1 and key = any ($2) and at = $3::timestamptz`,
    [player_id, [...keys], timestamptzText(timestamp)],
  );
  return {
    fact: 'balance',
    key: { key: [...keys].join(', ') },
    status: rows.length > 0 ? 'current' : 'replaced',
    orphan: false,
    times: [timestamp],
    inForce: new Set(rows.map(({ fingerprint }) => fingerprint)),
    isOf: ({ event: other }) =>
      other.kind === 'balances' && other.timestamp === timestamp && other.balances.some(({ key }) => keys.has(key)),
  };
}
