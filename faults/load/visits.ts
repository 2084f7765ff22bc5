import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../../packages/sandbox/src/random.ts';
import { type Site, SiteRefusal } from './site.ts';

/** A player who is signed in, with something to claim and something to read. */
export interface Visitor {
  user_id: string;
  sid: string;
  intent_id: string;
}

/** What pages were told is done: the platform's word from then on. */
export interface Acknowledged {
  /** Marks of tracked events, whether acknowledged or only sent. */
  sent: Set<string>;
  tracked: Set<string>;
  /** intent_ids. */
  claimed: Set<string>;
  /** MessageIds, and whose. */
  read: Map<number, Visitor>;
  /** MessageIds that were listed, and unknown when they were to be marked as read: that is for those that are recalled meanwhile. */
  gone: Set<number>;
}

/** Between two events of a player: below the one a second that the platform takes of one for long. */
const meanGapMs = 1_500;
/** Of the calls that change something, so many are made twice at the same time, as by two tabs. */
const twice = 0.3;

/** All visitors at once, for so many seconds: each tracks events, claims its reward and reads its messages at moments of its own. */
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
