import { contactOf, type Effect, priorityOf, subjectOf } from '@croupier/campaigns';
import type { PoolClient } from 'pg';
import type { RulesOfContact } from '../../gate/index.ts';
import { heldContacts } from '../contact/held.ts';
import { rulesFor } from '../contact/rules.ts';
import type { Versions } from '../documents/active-store.ts';
import type { RunAtHand } from './drive.ts';
import type { MovedRun } from './store.ts';

/** An effect at which a run is held. */
export interface AskedEffect {
  hand: RunAtHand;
  effect: Effect;
}

/**
 * The rules of contact for effects of runs of one brand that are decided together.
 *
 * @param moved runs of this round that have stopped moving; the database still has their earlier state
 * @returns undefined if the brand has no rule of contact that applies to any of them
 */
export async function rulesOfContact(
  tx: PoolClient,
  versions: Pick<Versions, 'load'>,
  asked: readonly AskedEffect[],
  moved: readonly MovedRun[],
): Promise<RulesOfContact | undefined> {
  const [first] = asked;
  if (first === undefined) return undefined;
  const { brand, context } = first.hand;
  const planned = asked.map(({ hand: { player, version }, effect }) => ({
    player,
    contact: { ...contactOf(effect), priority: priorityOf(version.document) },
    subject: subjectOf(version.document, effect),
  }));
  const { at } = context;
  const heldOf = (players: readonly number[]) => {
    const without = new Set([...asked.map(({ hand }) => hand.row.run_id), ...moved.map(({ run_id }) => run_id)]);
    const more = moved
      .filter(({ state, reason, player_id }) => state === 'held' && reason !== 'paused' && players.includes(player_id))
      .map(({ player_id, version_id, position }) => ({ player_id, version_id, step: position.step }));
    return heldContacts(tx, versions, players, { at, without, more });
  };
  return rulesFor(tx, planned, { brand, at, heldOf });
}
