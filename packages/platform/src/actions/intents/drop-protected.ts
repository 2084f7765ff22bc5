import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Clock } from '../../clock.ts';
import type { Gate } from '../../gate/index.ts';
import type { ProtectionTransition } from '../../operator/protection/index.ts';
import { type Settlement, settleReservations } from '../budgets/index.ts';
import { moveLocked, settlementOf } from './apply.ts';
import type { BonusIntent } from './intent.ts';
import { lockWaitingOf } from './intent-store.ts';

/** Intents per page. The number of players in a batch of transitions, and of their waiting intents, has no limit. */
const pageSize = 1_000;

/**
 * Drops intents that wait to be credited to players who are now excluded or blocked: docs/reference/design.md 2.5, "queued items included".
 * The follower 'actions' of protection transitions calls this, in the transaction that ends the deliveries of the transitions.
 *
 * A transition only causes this check. The gate decides by the current state, and its record explains why the intent
 * was dropped. An intent with an open call waits for its answer, and an unknown intent waits for its proof. If either was
 * dropped, the platform would report "not credited" although money may have moved.
 */
export async function dropProtected(
  tx: PoolClient,
  transitions: readonly Pick<ProtectionTransition, 'player_id' | 'kind'>[],
  { gate, clock }: { gate: Pick<Gate, 'mayContact'>; clock: Clock },
): Promise<{ dropped: number }> {
  const tightened = transitions.filter(({ kind }) => kind === 'excluded' || kind === 'blocked');
  const players = [...new Set(tightened.map(({ player_id }) => player_id))];
  // Budgets are locked after the last intent, never between two intents, as in all code that locks both.
  const settlements: Settlement[] = [];
  let dropped = 0;
  for (let after: string | null | undefined = players.length === 0 ? undefined : null; after !== undefined; ) {
    const intents = await lockWaitingOf(tx, players, { after, limit: pageSize });
    const page = await dropWithheld(tx, intents, { gate, clock });
    dropped += page.dropped;
    settlements.push(...page.settlements);
    after = intents.length < pageSize ? undefined : intents.at(-1)?.intent_id;
  }
  await settleReservations(tx, settlements);
  return { dropped };
}

async function dropWithheld(
  tx: PoolClient,
  intents: readonly BonusIntent[],
  { gate, clock }: { gate: Pick<Gate, 'mayContact'>; clock: Clock },
): Promise<{ dropped: number; settlements: Settlement[] }> {
  const decisions = await gate.mayContact(
    tx,
    intents.map(({ brand_id, player_id, intent_id, expires_at }) => ({
      brand_id,
      player_id,
      channel: 'bonus',
      purpose: 'bonus',
      cause: { kind: 'intent', id: intent_id },
      expires_at,
    })),
  );
  const at: Micros = clock();
  const settlements: Settlement[] = [];
  let dropped = 0;
  for (const [place, intent] of intents.entries()) {
    const decision = decisions[place];
    if (decision?.outcome !== 'withheld') continue;
    const { reason, decision_id } = decision;
    if (reason !== 'excluded' && reason !== 'blocked') continue;
    const moved = await moveLocked(tx, intent, { type: 'protected', reason }, { at, proof: { decision_id } });
    settlements.push(...settlementOf(intent, moved));
    dropped++;
  }
  return { dropped, settlements };
}
