import type { ClientBase } from 'pg';
import { type SiteSignal, writeSignals } from '../../channels/index.ts';
import { endSessions, type SessionEnd } from './end-store.ts';

/**
 * Ends all tokens of players, and signals their browsers, in the transaction of the cause. At most one end per player.
 *
 * @param kind `session_ended`: none of their sessions continues. `one_session_ended`: some may, and their sockets must
 * authenticate again.
 */
export async function endPlayers(
  tx: ClientBase,
  ends: readonly Omit<SessionEnd, 'sid_hash'>[],
  kind: 'session_ended' | 'one_session_ended',
): Promise<readonly SiteSignal[]> {
  await endSessions(
    tx,
    ends.map((end) => ({ ...end, sid_hash: '' })),
  );
  return writeSignals(
    tx,
    ends.map(({ brand_id, player_id }) => ({ brand_id, player_id, kind, message_id: null })),
  );
}
