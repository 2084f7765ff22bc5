import type { ClientBase } from 'pg';
import type { DerivedEvent } from '../../event.ts';
import type { FactOfEvent } from '../../event-fact.ts';
import { listBonuses } from './list.ts';

/**
 * The bonus that an event belongs to, with the events of the same status and timestamp: only those can contradict it.
 */
export async function bonusOfEvent(
  db: Pick<ClientBase, 'query'>,
  { player_id, event }: DerivedEvent<'bonus'>,
): Promise<FactOfEvent | undefined> {
  const { user_bonus_id, timestamp } = event;
  const [bonus] = await listBonuses(db, player_id, { user_bonus_id }, 1);
  if (bonus === undefined) return undefined;
  const isOfKey = (other: { status: string; timestamp: number }) =>
    other.timestamp === timestamp && other.status.toLowerCase() === event.status.toLowerCase();
  // In canonical order the version in force comes first within its key.
  const version = bonus.events.find(isOfKey);
  return {
    fact: 'bonus',
    key: { user_bonus_id },
    status: bonus.status,
    orphan: false,
    times: [timestamp],
    inForce: new Set(version === undefined ? [] : [version.fingerprint]),
    isOf: ({ event: other }) => other.kind === 'bonus' && other.user_bonus_id === user_bonus_id && isOfKey(other),
  };
}
