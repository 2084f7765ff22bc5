import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { databaseTime, timestamptzText } from '../../database/index.ts';
import { storableStart } from '../calling/index.ts';
import { type Follower, type ProtectionTransition, protectingKinds } from './transition.ts';

/** Whether a follower has deliveries to take. It costs one statement; a transaction that takes none costs three. */
export async function isDeliveryDue(pool: Pool, follower: Follower): Promise<boolean> {
  const { rows } = await pool.query({
    name: 'is_delivery_due',
    text: 'select true from protection_delivery where follower = $1 and due_at <= now() order by due_at, transition_id limit 1',
    values: [follower],
  });
  return rows.length > 0;
}

/**
 * Takes the due deliveries of a follower, oldest first. They are deleted if the transaction commits. Skips deliveries that
 * others have taken.
 */
export async function takeDeliveries(
  tx: ClientBase,
  follower: Follower,
  limit: number,
): Promise<{ transition: ProtectionTransition; attempts: number }[]> {
  const { rows } = await tx.query<ProtectionTransition & { attempts: number }>({
    name: 'take_deliveries',
    text: `with taken as (
             delete from protection_delivery d
              using (select follower, transition_id from protection_delivery
                      where follower = $1 and due_at <= now()
                      order by due_at, transition_id limit $2 for update skip locked) due
              where d.follower = due.follower and d.transition_id = due.transition_id
             returning d.transition_id, d.attempts)
           select t.transition_id, t.brand_id, t.player_id, t.kind, t.consent_type, t.source, t.at, taken.attempts
             from taken join protection_transition t using (transition_id)
            order by t.transition_id`,
    values: [follower, limit],
  });
  return rows.map(({ attempts, ...transition }) => ({ transition, attempts }));
}

/**
 * Stores when a follower handled transitions that restrict contact. It runs at the end of the follower's transaction, and locks the rows
 * in the order of their ids. So followers that handle the same transitions do not block each other for long.
 */
export async function noteHandled(
  tx: ClientBase,
  transitions: readonly ProtectionTransition[],
  at: Micros,
): Promise<void> {
  const ids = transitions.filter(({ kind }) => protectingKinds.includes(kind)).map((one) => one.transition_id);
  if (ids.length === 0) return;
  await tx.query({
    name: 'note_handled',
    text: `update protection_transition t set handled_at = greatest(t.handled_at, $2::timestamptz)
             from (select transition_id from protection_transition where transition_id = any($1::bigint[])
                    order by transition_id for update) own
            where t.transition_id = own.transition_id`,
    values: [ids, timestamptzText(at)],
  });
}

const maxFailure = 500;

export async function postponeDelivery(
  pool: Pool,
  delivery: { follower: Follower; transition_id: number; delay_ms: number; failure: string },
): Promise<void> {
  const { follower, transition_id, delay_ms, failure } = delivery;
  await pool.query(
    `update protection_delivery
        set attempts = attempts + 1, due_at = $5::timestamptz + $3 * interval '1 millisecond', failure = $4
      where follower = $1 and transition_id = $2`,
    [follower, transition_id, delay_ms, storableStart(failure, maxFailure), timestamptzText(await databaseTime(pool))],
  );
}
