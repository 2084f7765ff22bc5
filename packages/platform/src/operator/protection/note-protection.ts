import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { awaitAll } from '../../database/index.ts';
import { isSameProtection, protectionChanges } from './changes.ts';
import { readProtectionFacts } from './fact-store.ts';
import { protectionOf } from './inputs.ts';
import { insertTransitions, lockProtection, type NewTransition, writeProtection } from './protection-store.ts';
import { insertRecordChanges } from './record-change-store.ts';
import type { FactSource } from './source.ts';

interface NoteOptions {
  silent?: ReadonlySet<number>;
  receivedAt?: ReadonlyMap<number, Micros>;
}

/**
 * Publishes changes in the protection of these players, in the transaction that made them. Call it after writing rows of
 * profile, consents or blocks, and only for players with such rows. It takes two round trips.
 *
 * The statement that locks the published state runs before the one that reads the facts. So if two transactions change one
 * player, the second sees what the first committed, and no change is missed.
 *
 * @param cause where and when the change was learned
 * @param silent the players whose changes start no campaign; they still end contacts and runs as usual
 * @param receivedAt by player: when the update that led to the change was received. Default: `cause.at`
 * @returns how many transitions were written
 */
export async function noteProtection(
  tx: ClientBase,
  playerIds: readonly number[],
  cause: { source: FactSource; at: Micros },
  { silent = new Set(), receivedAt = new Map() }: NoteOptions = {},
): Promise<number> {
  if (playerIds.length === 0) return 0;
  const [published, facts] = await awaitAll([lockProtection(tx, playerIds), readProtectionFacts(tx, playerIds)]);
  const transitions: NewTransition[] = [];
  const changed = published.flatMap(({ player_id, before }) => {
    const known = facts.get(player_id);
    if (known === undefined) return [];
    const after = protectionOf(known);
    const changes = protectionChanges(before, after);
    for (const { kind, consent_key } of changes) {
      const consent = known.consents.find(({ type_key }) => type_key === consent_key);
      const consent_type = consent_key === null ? null : (consent?.type ?? consent_key);
      transitions.push({
        brand_id: known.brand_id,
        player_id,
        kind,
        consent_type,
        ...cause,
        received_at: receivedAt.get(player_id) ?? cause.at,
      });
    }
    return isSameProtection(before, after) ? [] : [{ player_id, ...after, noted_at: cause.at }];
  });
  await awaitAll([
    writeProtection(tx, changed),
    insertTransitions(tx, transitions),
    insertRecordChanges(tx, playerIds, cause, silent),
  ]);
  return transitions.length;
}
