import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Clock } from '../../clock.ts';
import type { Gate } from '../../gate/index.ts';
import type { ProtectionTransition } from '../../operator/index.ts';
import { applyToLocked } from './apply.ts';
import { lockWaitingOf } from './intent-store.ts';

/** Intents at a time: a player with more of them has the rest dropped one by one, at their own turn, by the gate. */
const maxIntents = 1_000;

/**
 * Drops what waits to be credited to players who are excluded or blocked now: design.md 2.5, "queued items included". Handler of
 * the follower 'actions' of protection transitions, in the transaction that ends their deliveries.
 *
 * A transition is only the reason to look; the gate says what holds, and its record says why the intent was dropped. What has
 * a call open is left to its answer, and what is unknown to its proof: dropping either would say "not credited" of money
 * that may have moved.
 */
export async function dropProtected(
  tx: PoolClient,
  transitions: readonly Pick<ProtectionTransition, 'player_id' | 'kind'>[],
  { gate, clock }: { gate: Pick<Gate, 'mayContact'>; clock: Clock },
): Promise<{ dropped: number }> {
  const tightened = transitions.filter(({ kind }) => kind === 'excluded' || kind === 'blocked');
  const players = [...new Set(tightened.map(({ player_id }) => player_id))];
  if (players.length === 0) return { dropped: 0 };
  const intents = await lockWaitingOf(tx, players, maxIntents);
  const decisions = await gate.mayContact(
    tx,
    intents.map(({ brand_id, player_id, intent_id, expires_at }) => ({
      ...{
        brand_id,
        player_id,
        channel: 'bonus',
        purpose: 'bonus',
        cause: { kind: 'intent', id: intent_id },
        expires_at,
      },
    })),
  );
  const at: Micros = clock();
  let dropped = 0;
  for (const [place, intent] of intents.entries()) {
    const decision = decisions[place];
    if (decision?.outcome !== 'withheld') continue;
    const { reason, decision_id } = decision;
    if (reason !== 'excluded' && reason !== 'blocked') continue;
    await applyToLocked(tx, intent, { type: 'protected', reason }, { at, proof: { decision_id } });
    dropped++;
  }
  return { dropped };
}
