import { contactOf, type Effect, effectAt, priorityOf } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Versions } from '../documents/active-store.ts';
import { type HeldRun, readHeldRuns } from '../runs/store.ts';
import type { HeldContact } from './rules.ts';

/**
 * The messages that held runs of the players wait to send.
 *
 * @param without run_ids to leave out
 * @param more runs that are also held, but not yet stored as held
 */
export async function heldContacts(
  tx: PoolClient,
  versions: Pick<Versions, 'load'>,
  players: readonly number[],
  { at, without = new Set(), more = [] }: { at: Micros; without?: ReadonlySet<number>; more?: readonly Held[] },
): Promise<HeldContact[]> {
  const held: Held[] = [...(await readHeldRuns(tx, players)).filter(({ run_id }) => !without.has(run_id)), ...more];
  const known = await versions.load(held.map(({ version_id }) => version_id));
  return held.flatMap(({ player_id, version_id, step }) => {
    const document = known.get(version_id)?.document;
    const effect = document === undefined || step === null ? undefined : effectAt(document, step, at);
    if (document === undefined || effect === undefined || !isMessage(effect)) return [];
    return [{ player_id, ...contactOf(effect), priority: priorityOf(document) }];
  });
}

type Held = Omit<HeldRun, 'run_id'>;

function isMessage({ kind }: Effect): boolean {
  return kind === 'send' || kind === 'webhook' || kind === 'call_list';
}
