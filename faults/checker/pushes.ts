import type { Pool } from 'pg';
import type { Device, TakenPush } from '../load/push-services.ts';
import { type Outcome, outcome } from '../outcome.ts';

/** A message on its way to a device, as the platform stores it. */
export interface KeptDelivery {
  key: string;
  /** Null if the player had no device. */
  subscription_id: number | null;
  state: string;
  reason: string | null;
  /** Number of calls that the platform began. */
  attempts: number;
  /** Milliseconds since the epoch. */
  ended_at: number | null;
}

export interface PushEvidence {
  devices: readonly Device[];
  pushed: readonly TakenPush[];
  deliveries: readonly KeptDelivery[];
  /** Messages with push, by their keys, and the players that they are for. */
  announced: ReadonlyMap<string, { user_id: string; isLive: boolean }>;
  allowance: number;
}

/** A call that began before the device was known to be gone arrives within this time. */
const underWayMs = 1_000;
const pushEnds = ['sent', 'unknown', 'dropped', 'failed'];

/** A delivery with its calls, the earliest first. */
interface Pushed {
  name: string;
  delivery: KeptDelivery;
  calls: readonly TakenPush[];
}

function deliveriesWithCalls({ devices, deliveries, pushed }: PushEvidence): Pushed[] {
  const nameOf = new Map(devices.map(({ subscription_id, name }) => [subscription_id, name]));
  const callsOf = Map.groupBy(pushed, ({ key, device }) => `${key} to ${device}`);
  return deliveries.map((delivery) => {
    const device = delivery.subscription_id === null ? 'no device' : nameOf.get(delivery.subscription_id);
    const name = `${delivery.key} to ${device ?? `the unknown device ${delivery.subscription_id}`}`;
    return { name, delivery, calls: (callsOf.get(name) ?? []).toSorted((a, b) => a.at - b.at) };
  });
}

/** P7: a message is pushed to a device once. It is pushed again only after the push service answered that it did not accept the push. */
export function judgePushCalls(evidence: PushEvidence): Outcome {
  const { devices, pushed, announced } = evidence;
  const userOf = new Map(devices.map(({ name, user_id }) => [name, user_id]));
  const all = deliveriesWithCalls(evidence);
  const kept = new Set(all.map(({ name }) => name));
  const broken: string[] = [];
  let repeated = 0;
  for (const { key, device } of pushed) {
    const name = `${key} to ${device}`;
    if (!kept.has(name)) broken.push(`${name} was pushed, but no delivery is stored for it`);
    if (announced.get(key)?.user_id !== userOf.get(device))
      broken.push(`${name} was pushed to another player's device`);
  }
  for (const { name, delivery, calls } of all) {
    if (calls.length > delivery.attempts)
      broken.push(`${name} was pushed ${calls.length} times, of which ${delivery.attempts} are recorded`);
    for (const { answer } of calls.slice(0, -1)) {
      repeated++;
      if (answer !== 'refused') broken.push(`${name} was pushed again after the answer: ${answer}`);
    }
  }
  const counts = { push_calls: pushed.length, push_repeated: repeated };
  return outcome('P7', 'a push is repeated only if the push service did not accept it', counts, broken);
}

/** P12: each message with push has a delivery for each device, which ends in a state that agrees with the answers, or waits with a reason. */
export function judgePushEnds(evidence: PushEvidence): Outcome {
  const { announced, deliveries } = evidence;
  const states: Record<string, number> = {};
  const broken: string[] = [];
  const queued = new Set(deliveries.map(({ key }) => key));
  for (const [key, { isLive }] of announced)
    if (isLive && !queued.has(key)) broken.push(`${key} is live without a delivery`);
  for (const { name, delivery, calls } of deliveriesWithCalls(evidence)) {
    const { state, reason } = delivery;
    const counted = reason === 'no_device' || reason === 'gone' ? `push_${reason}` : `push_${state}`;
    states[counted] = (states[counted] ?? 0) + 1;
    const answer = calls.at(-1)?.answer;
    const told = `${name} is ${state} (${reason ?? 'no reason'}), after the answer: ${answer ?? 'no call'}`;
    if (state !== 'sent' && reason === null) broken.push(told);
    else if (!agrees(state, reason, answer)) broken.push(told);
  }
  return outcome(
    'P12',
    'each push ends in a state that agrees with the answers, or waits with a reason',
    states,
    broken,
  );
}

function agrees(state: string, reason: string | null, answer: TakenPush['answer'] | undefined): boolean {
  switch (state) {
    case 'sent':
      return answer === 'accepted';
    case 'failed':
      return answer === (reason === 'gone' ? 'gone' : 'refused');
    // The message may have reached the device, so nothing else may be claimed.
    case 'unknown':
      return true;
    case 'dropped':
    case 'waiting':
      return answer === undefined || answer === 'refused';
    default:
      return pushEnds.includes(state);
  }
}

/** A device that answered that it is gone gets nothing more, once this is recorded. If the worker died before, the outcome is unknown. */
export function judgeGone(evidence: PushEvidence): Outcome {
  const { pushed, allowance } = evidence;
  const goneAt = new Map<string, number>();
  const broken: string[] = [];
  let answers = 0;
  for (const { name, delivery, calls } of deliveriesWithCalls(evidence)) {
    const told = calls.find(({ answer }) => answer === 'gone');
    if (told === undefined) continue;
    answers++;
    const { state, reason, ended_at } = delivery;
    if (state === 'failed' && reason === 'gone' && ended_at !== null)
      goneAt.set(told.device, Math.min(ended_at, goneAt.get(told.device) ?? ended_at));
    else if (state !== 'unknown') broken.push(`${name} was answered that the device is gone, and is ${state}`);
  }
  for (const { key, device, at } of pushed) {
    const since = goneAt.get(device);
    if (since !== undefined && at > since + underWayMs * allowance)
      broken.push(`${key} was pushed to ${device}, ${Math.round(at - since)} ms after it was gone`);
  }
  const counts = { devices_gone: goneAt.size, answers_gone: answers };
  return outcome('P7', 'a device that is gone gets nothing more', counts, broken);
}

/** The push services verify the signature and decrypt with the keys of the device. */
export function judgeForm(refused: readonly string[]): Outcome {
  return outcome('-', 'every push has a valid signature and can be decrypted', {}, [...new Set(refused)]);
}

export function judgePushes(evidence: PushEvidence): Outcome[] {
  return [judgePushCalls(evidence), judgePushEnds(evidence), judgeGone(evidence)];
}

export async function readDeliveries(pool: Pool): Promise<KeptDelivery[]> {
  const { rows } = await pool.query<KeptDelivery>(
    `select n.title as key, d.subscription_id, d.state, d.reason, d.attempts, (extract(epoch from d.ended_at) * 1000)::float8 as ended_at
       from push_delivery d join notification n using (message_id) where n.channel = 'push'`,
  );
  return rows;
}
