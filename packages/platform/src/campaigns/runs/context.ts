import type { Context } from '@croupier/campaigns';
import type { PlayerView } from '@croupier/rules';
import type { RunnableVersion } from '../documents/active-store.ts';
import type { Reading } from './reading.ts';
import type { RunRow } from './store.ts';

/** The data with which packages/campaigns moves a run. @param of `zone` is the player's zone; `reading` has the brand's */
export function contextOf(
  { document, code }: RunnableVersion,
  row: Pick<RunRow, 'entered_at'>,
  { view, user_id, zone, reading }: { view: PlayerView; user_id: string; zone: string; reading: Reading },
): Context {
  const { at, zone: brandZone, catalogue } = reading;
  return {
    campaign: document,
    at,
    zone,
    brandZone,
    player: view,
    catalogue,
    seed: `${code} ${user_id}`,
    enteredAt: row.entered_at,
  };
}
