import type { Context } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { PlayerView } from '@croupier/rules';
import type { Phase, RunnableVersion } from '../documents/active-store.ts';
import type { Reading } from './reading.ts';
import type { RunRow } from './store.ts';

/** A part of the cause of a run is enough: a run that watches for its goal reads no more. */
type CausedRow = Pick<RunRow, 'entered_at'> & { cause: Pick<RunRow['cause'], 'at'> };

/**
 * When the cause of a run happened, rounded down to the second: some senders give whole seconds, and the answer to a cause of
 * 12:00:00.4 then has the time 12:00:00. A cause with a time in the future counts from the entry.
 */
export function causedAt({ entered_at, cause }: CausedRow): Micros {
  const at = Math.min(entered_at, cause.at);
  return at - (at % 1_000_000);
}

/** The data with which packages/campaigns moves a run. @param of `zone` is the player's zone; `reading` has the brand's */
export function contextOf(
  { document, code }: RunnableVersion,
  row: CausedRow,
  of: { view: PlayerView; user_id: string; zone: string; reading: Reading; phase: Phase },
): Context {
  const { view, user_id, zone, reading, phase } = of;
  const { at, zone: brandZone, catalog } = reading;
  return {
    campaign: document,
    at,
    zone,
    brandZone,
    player: view,
    catalog,
    seed: `${code} ${user_id}`,
    enteredAt: row.entered_at,
    causedAt: causedAt(row),
    effectsHeld: phase === 'live' ? undefined : phase,
  };
}
