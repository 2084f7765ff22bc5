import type { Pool } from 'pg';
import { countUnreadInbox, getManyForPlayers, recordOf } from '../../channels/index.ts';
import type { Clock } from '../../clock.ts';
import type { MessageSource } from './announcements.ts';

/** Reads the messages from the channels. */
export function messageSource({ pool, clock }: { pool: Pool; clock: Clock }): MessageSource {
  return {
    async records(pairs) {
      const rows = await getManyForPlayers(pool, pairs, clock());
      return new Map(rows.map((row) => [row.message_id, recordOf(row)]));
    },
    unread: (playerIds) => countUnreadInbox(pool, playerIds, clock()),
  };
}
