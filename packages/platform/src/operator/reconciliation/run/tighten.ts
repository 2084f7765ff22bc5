import type { ClientBase } from 'pg';
import { readBlocks, readConsents, writeBlocks, writeConsents } from '../../players/index.ts';
import { noteProtection } from '../../protection/index.ts';
import type { ComparedRun } from '../compare/judge-stretch.ts';
import { subjectOf } from '../fields.ts';
import { revokeClaims } from './look-up-store.ts';

/**
 * Blocks, excludes, or withdraws the consent of these players, as of the result's moment, and publishes what that changes: queued
 * actions of a player who is excluded now are dropped by the transition.
 *
 * A look-up of theirs that is under way may have been asked before that moment, and its answer would undo this one: it loses its
 * claim, writes nothing, and is made anew. The caller holds the locks of the look-ups (`lockLookUps`, or the request that made
 * them): look-ups and changes of ours take those first and rows of consents and blocks after, and so must this.
 */
export async function tighten(
  tx: ClientBase,
  run: ComparedRun,
  playerIds: readonly number[],
  now: number,
  silent?: ReadonlySet<number>,
): Promise<void> {
  const subject = subjectOf(run.field);
  if (playerIds.length === 0 || subject.about === 'active') return;
  const type_key = subject.type.toLowerCase();
  const fresh = { in_doubt: false, unconfirmed: false, source: 'reconciliation', as_of: run.as_of } as const;
  if (subject.about === 'block') {
    const old = new Map(
      (await readBlocks(tx, playerIds)).filter(isOfType(type_key)).map((row) => [row.player_id, row]),
    );
    const rows = playerIds.map((player_id) => {
      const { type = subject.type, spelling = subject.type, note = null } = old.get(player_id) ?? {};
      return { player_id, type_key, type, spelling, note, active: true, ...fresh };
    });
    await writeBlocks(tx, rows);
  } else {
    const old = new Map(
      (await readConsents(tx, playerIds)).filter(isOfType(type_key)).map((row) => [row.player_id, row]),
    );
    const rows = playerIds.map((player_id) => {
      const { type = subject.type, spelling = subject.type } = old.get(player_id) ?? {};
      return { player_id, type_key, type, spelling, opted_in: false, ...fresh };
    });
    await writeConsents(tx, rows);
  }
  await revokeClaims(tx, playerIds, subject.about === 'block' ? 'blocks' : 'consents');
  await noteProtection(tx, playerIds, { source: 'reconciliation', at: now }, silent);
}

function isOfType(typeKey: string) {
  return (row: { type_key: string }) => row.type_key === typeKey;
}
