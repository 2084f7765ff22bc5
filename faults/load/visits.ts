import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../../packages/sandbox/src/random.ts';
import { type Site, SiteRefusal } from './site.ts';

/** A signed-in player with a reward to claim and messages to read. */
export interface Visitor {
  user_id: string;
  sid: string;
  intent_id: string;
}

/** What was acknowledged to pages and must therefore be done. */
export interface Acknowledged {
  /** Marks of tracked events: `sent` has all that were sent, and `tracked` those that were acknowledged. */
  sent: Set<string>;
  tracked: Set<string>;
  /** intent_ids. */
  claimed: Set<string>;
  /** MessageIds, with their players. */
  read: Map<number, Visitor>;
  /** MessageIds that were listed but unknown when they were to be marked as read. Allowed only for those recalled in between. */
  gone: Set<number>;
}

/** Mean time between two events of a player. In the long run, the platform accepts one event per second from a player. */
const meanGapMs = 1_500;
/** This share of the calls that change something is made twice at the same time, as by two tabs. */
const twice = 0.3;

/**
 * Simulates all visitors at once, for this many seconds. Each of them tracks events, claims its reward and reads its messages
 * at random times.
 */
export async function visit(
  site: Site,
  visitors: readonly Visitor[],
  { seed, seconds, signal }: { seed: string; seconds: number; signal?: AbortSignal | undefined },
): Promise<Acknowledged> {
  const done: Acknowledged = {
    sent: new Set(),
    tracked: new Set(),
    claimed: new Set(),
    read: new Map(),
    gone: new Set(),
  };
  await Promise.all(visitors.map((visitor) => stay(site, visitor, done, { seed, seconds, signal })));
  return done;
}

async function stay(
  site: Site,
  visitor: Visitor,
  done: Acknowledged,
  { seed, seconds, signal }: { seed: string; seconds: number; signal?: AbortSignal | undefined },
): Promise<void> {
  const { user_id, sid, intent_id } = visitor;
  const random = seededRandom(`visit/${seed}/${user_id}`);
  const moment = () => delay(random.next() * seconds * 1_000, undefined, { signal });
  const tabs = () => (random.chance(twice) ? [1, 2] : [1]);
  const track = async () => {
    const end = performance.now() + seconds * 1_000;
    for (let n = 0; performance.now() < end; n++) {
      await delay((0.5 + random.next()) * meanGapMs, undefined, { signal });
      const mark = `${user_id}-${n}`;
      const event = { Name: 'page_viewed', Data: { mark }, Id: `${mark}-of-the-fault-run` };
      done.sent.add(mark);
      await Promise.all(tabs().map(() => site.insist(sid, 'POST', 'Crm/Events', event)));
      done.tracked.add(mark);
    }
  };
  const claim = async () => {
    await moment();
    await Promise.all(tabs().map(() => site.insist(sid, 'POST', 'Crm/ClaimReward', { Id: intent_id })));
    done.claimed.add(intent_id);
  };
  const read = async () => {
    await moment();
    const path = 'Notifications/v2/user-notifications?unread-only=true';
    for (const { MessageId } of await site.insist<{ MessageId: number }[]>(sid, 'GET', path)) {
      const mark = () => site.insist(sid, 'POST', 'Notifications/MarkNotificationAsRead', { MessageId });
      await Promise.all(tabs().map(mark)).then(
        () => done.read.set(MessageId, visitor),
        (error: unknown) => {
          if (!(error instanceof SiteRefusal && error.status === 404)) throw error;
          done.gone.add(MessageId);
        },
      );
    }
  };
  await Promise.all([track(), claim(), read()]);
}
