import { messageActivityRequest, validator } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { recordActivities } from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import { Allowance } from '../../http/allowance.ts';
import type { SiteDeps } from './deps.ts';
import { SiteRefusal } from './envelope.ts';
import { bodyOf, signedIn } from './route.ts';

const body = validator(messageActivityRequest);

/** A page gathers what it tells for a second, so this is more than any page sends. Of each api process and player. */
const rate = { burst: 60, per_second: 2 };

/** What pages tell of messages on their screen. Reading and deleting have calls of the interface (notification-routes.ts). */
export function activityRoutes(app: FastifyInstance, deps: SiteDeps): void {
  const { pool, clock, signals } = deps;
  const allowance = new Allowance<number>();

  signedIn(app, deps, {
    method: 'POST',
    path: '/Crm/MessageActivity',
    bodyLimit: 16 * 1_024,
    async handler({ player_id }, request) {
      const retryAfterSeconds = allowance.take(player_id, rate, clock());
      if (retryAfterSeconds !== null) throw new SiteRefusal('too_many_requests', { retryAfterSeconds });
      const { Items } = bodyOf(request, body);
      const told = Items.map(({ MessageId, Activity }) => ({ message_id: MessageId, activity: Activity }));
      signals.poke(await transaction(pool, (tx) => recordActivities(tx, player_id, told, clock())));
      return true;
    },
  });
}
