import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../../packages/sandbox/src/random.ts';
import type { Console } from '../installation/console.ts';

/** A message that the console API acknowledged. Times are performance.now. */
export interface Written {
  message_id: number;
  user_id: string;
  title: string;
  /** The state of the message in the answer: live, held or withheld. */
  state: string;
  ordered_at: number;
  acknowledged_at: number;
  /** True if the recall of the message was acknowledged. */
  recalled: boolean;
}

/** Messages per second, to all players together. */
const rate = 25;
/**
 * A list contains at most 100 messages, and a page requests one list. So no player may have more than 100 messages waiting,
 * although players are chosen randomly.
 */
const mostPerPlayer = 60;
const recalledShare = 0.15;
/** Recalls are ordered within this time, so some arrive while the message is being delivered. */
const recallWithinMs = 1_500;
/** Maximum number of orders that wait for an answer at the same time, so that orders do not pile up while no process is running. */
const inFlight = 32;
const events = ['inbox', 'message', 'shoutout'] as const;

/** Writes messages to random players, evenly over the seconds, and recalls some; each order is repeated until it is answered. */
export async function writeMessages(
  console: Console,
  users: readonly string[],
  { seed, seconds, signal }: { seed: string; seconds: number; signal?: AbortSignal | undefined },
): Promise<Written[]> {
  const random = seededRandom(`messages/${seed}`);
  const count = Math.min(seconds * rate, users.length * mostPerPlayer);
  const startedAt = performance.now();
  const written: Promise<Written>[] = [];
  const underWay = new Set<Promise<void>>();
  for (let n = 0; n < count; n++) {
    await delay(Math.max(0, startedAt + (n * seconds * 1_000) / count - performance.now()), undefined, { signal });
    const user = users[random.whole(0, users.length - 1)] ?? '';
    const order = { title: `Message ${n}`, event: random.pick(events) };
    const recallMs = random.chance(recalledShare) ? random.next() * recallWithinMs : null;
    const writing = writeAndRecall(console, user, order, recallMs);
    written.push(writing);
    const ending: Promise<void> = writing.then(() => void underWay.delete(ending));
    underWay.add(ending);
    if (underWay.size >= inFlight) await Promise.race(underWay);
  }
  return Promise.all(written);
}

async function writeAndRecall(
  console: Console,
  user: string,
  order: { title: string; event: string },
  recallMs: number | null,
): Promise<Written> {
  const written = await writeMessage(console, user, order);
  if (recallMs === null) return written;
  await delay(recallMs);
  await console.insist(`messages/${written.message_id}/recall`, {});
  return { ...written, recalled: true };
}

/** @param title unique per player; it identifies a repeated order. */
export async function writeMessage(
  console: Console,
  user_id: string,
  { title, event = 'inbox' }: { title: string; event?: string },
): Promise<Written> {
  const ordered_at = performance.now();
  const body = { event, purpose: 'service', title, message: title };
  const { message_id, state } = await console.insist<{ message_id: number; state: string }>(
    `players/${user_id}/messages`,
    body,
    `${user_id}: ${title}`,
  );
  const acknowledged_at = performance.now();
  return { message_id, user_id, title, state, ordered_at, acknowledged_at, recalled: false };
}
