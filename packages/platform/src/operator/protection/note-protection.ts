import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { isSameProtection, protectionChanges } from './changes.ts';
import { readProtectionFacts } from './fact-store.ts';
import { protectionOf } from './inputs.ts';
import { insertTransitions, lockProtection, type NewTransition, writeProtection } from './protection-store.ts';
import { insertRecordChanges } from './record-change-store.ts';
import type { FactSource } from './source.ts';

/**
 * Publishes what changed in the protection of these players, in the transaction that changed it: call it after the rows of
 * profile, consents or blocks were written, and only for players of whom some were. Cheap, but not free: four statements.
 *
 * The published state is locked before the facts are read. Of two transactions that change one player, the second so sees
 * what the first committed, and no change falls between them.
 *
 * @param cause where the change was learned, and when.
 * @param silent those of the players whose change may start nothing. What it ends, it ends all the same.
 * @returns how many transitions were written.
 */
export async function noteProtection(
  tx: ClientBase,
  playerIds: readonly number[],
  cause: { source: FactSource; at: Micros },
  silent: ReadonlySet<number> = new Set(),
): Promise<number> {
  if (playerIds.length === 0) return 0;
  const published = await lockProtection(tx, playerIds);
  const facts = await readProtectionFacts(tx, playerIds);
  const transitions: NewTransition[] = [];
  const changed = [...published.values()].flatMap(({ player_id, before }) => {
    const known = facts.get(player_id);
    if (known === undefined) return [];
    const after = protectionOf(known);
    const changes = protectionChanges(before, after);
    for (const { kind, consent_key } of changes) {
      const consent = known.consents.find(({ type_key }) => type_key === consent_key);
      const consent_type = consent_key === null ? null : (consent?.type ?? consent_key);
      transitions.push({ brand_id: known.brand_id, player_id, kind, consent_type, ...cause });
    }
    return isSameProtection(before, after) ? [] : [{ player_id, ...after, noted_at: cause.at }];
  });
  await writeProtection(tx, changed);
  await insertTransitions(tx, transitions);
  await insertRecordChanges(tx, playerIds, cause, silent);
  return transitions.length;
}
