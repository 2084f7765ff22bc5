import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import {
  countUnread,
  type DoneByPlayer,
  deleteForPlayer,
  getForPlayer,
  listForPlayer,
  markRead,
  recordOf,
} from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import type { SiteDeps } from './deps.ts';
import { SiteRefusal } from './envelope.ts';
import { flagOf, type Query, readListing, readMessageId } from './read-request.ts';
import { fieldsOf, signedIn } from './route.ts';

/**
 * The notification API (docs/reference/interface.md, Endpoints C). Whose messages they are is nowhere in a request: a MessageId of another player
 * is answered exactly as one that does not exist.
 */
export function notificationRoutes(app: FastifyInstance, deps: SiteDeps): void {
  const { pool, clock, signals } = deps;

  /** Marks or deletes, and tells the player's other tabs. Doing it again is harmless; 404 is for what is not there. */
  const change = async (work: (tx: PoolClient) => Promise<DoneByPlayer>): Promise<void> => {
    const { outcome, signals: written } = await transaction(pool, work);
    signals.poke(written);
    if (outcome === 'unknown') throw new SiteRefusal('unknown_notification');
  };

  signedIn(app, deps, {
    method: 'GET',
    path: '/Notifications/v2/user-notifications',
    async handler({ player_id }, request) {
      const listing = readListing(request.query as Query);
      return (await listForPlayer(pool, { player_id, ...listing, now: clock() })).map(recordOf);
    },
  });

  signedIn(app, deps, {
    method: 'GET',
    path: '/Notifications/v2/unread-count',
    handler: ({ player_id }, request) =>
      countUnread(pool, {
        player_id,
        inboxOnly: flagOf(request.query as Query, 'inbox-only'),
        now: clock(),
      }),
  });

  signedIn(app, deps, {
    method: 'GET',
    path: '/Notifications/v2/user-notification/:ID',
    async handler({ player_id }, request) {
      const row = await getForPlayer(pool, { player_id, message_id: idOf(request.params), now: clock() });
      if (row === null) throw new SiteRefusal('unknown_notification');
      return recordOf(row);
    },
  });

  signedIn(app, deps, {
    method: 'DELETE',
    path: '/Notifications/v2/user-notification/:ID',
    async handler({ player_id }, request) {
      const messageId = idOf(request.params);
      await change((tx) => deleteForPlayer(tx, player_id, messageId, clock()));
      return null;
    },
  });

  signedIn(app, deps, {
    method: 'POST',
    path: '/Notifications/MarkNotificationAsRead',
    async handler({ player_id }, request) {
      const messageId = readMessageId(fieldsOf(request).MessageId);
      if (messageId === null)
        throw new SiteRefusal('invalid_request', { message: 'MessageId must be a positive integer.' });
      await change((tx) => markRead(tx, player_id, messageId, clock()));
      return true;
    },
  });
}

/** What is no integer names no notification: 404, as the interface has it for unknown ids, and not another answer to guess from. */
function idOf(params: unknown): number {
  const id = readMessageId((params as { ID: string }).ID);
  if (id === null) throw new SiteRefusal('unknown_notification');
  return id;
}
