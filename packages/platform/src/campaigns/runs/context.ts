import type { Context } from '@croupier/campaigns';
import type { PlayerView } from '@croupier/rules';
import type { Phase, RunnableVersion } from '../documents/active-store.ts';
import type { Reading } from './reading.ts';
import type { RunRow } from './store.ts';

/** The data with which packages/campaigns moves a run. @param of `zone` is the player's zone; `reading` has the brand's */
export function contextOf(
  { document, code }: RunnableVersion,
  row: Pick<RunRow, 'entered_at'>,
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
    effectsHeld: phase === 'live' ? undefined : phase,
  };
}
