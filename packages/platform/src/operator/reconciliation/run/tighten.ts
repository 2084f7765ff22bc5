import type { ClientBase } from 'pg';
import { readBlocks, readConsents, writeBlocks, writeConsents } from '../../players/index.ts';
import { noteProtection } from '../../protection/index.ts';
import type { ComparedRun } from '../compare/judge-stretch.ts';
import { subjectOf } from '../fields.ts';
import { revokeClaims } from './look-up-store.ts';

/**
 * Blocks, excludes, or withdraws the consent of these players, as of the time of the result, and publishes the changes. The
 * transition drops queued actions of a player who is now excluded.
 *
 * An open look-up of such a player may have been requested before that time, and its answer would undo this change. So it loses
 * its claim, writes nothing, and is made again. The caller holds the locks of the look-ups (`lockLookUps`, or the request that
 * made them). Look-ups and changes of the platform lock those first, then rows of consents and blocks, and this function must do the
 * same.
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
  await noteProtection(tx, playerIds, { source: 'reconciliation', at: now }, { silent });
}

function isOfType(typeKey: string) {
  return (row: { type_key: string }) => row.type_key === typeKey;
}
