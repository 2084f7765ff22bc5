import type { ClientBase } from 'pg';
import { type SiteSignal, writeSignals } from '../../channels/index.ts';
import { endSessions, type SessionEnd } from './end-store.ts';

/** Ends all sessions of players, and tells their browsers, in the transaction of the cause. At most one end per player. */
export async function endPlayers(
  tx: ClientBase,
  ends: readonly Omit<SessionEnd, 'sid_hash'>[],
): Promise<readonly SiteSignal[]> {
  await endSessions(
    tx,
    ends.map((end) => ({ ...end, sid_hash: '' })),
  );
  return writeSignals(
    tx,
    ends.map(({ brand_id, player_id }) => ({ brand_id, player_id, kind: 'session_ended', message_id: null })),
  );
}
