import { type Message, shuffled } from '@croupier/sandbox';
import { seededRandom } from '../../packages/sandbox/src/random.ts';

/*
 * Delivers a casino's messages as a very bad network would. They arrive in batches, and each batch is shuffled. Some messages arrive hours
 * after the others. A tenth of them arrive twice, the second time immediately or days later. The times are those of the simulation: a batch
 * arrives when its last message was sent.
 *
 *   simulation --message--+-----------------------> this batch
 *                         +-- held back ----------> a batch of the next hours
 *                         +-- and once more ------> this batch, or one of the next days, when it may be too old to count
 */
export interface Delivery {
  /** Time of arrival, in microseconds; never before that of an earlier batch. */
  at: number;
  messages: Message[];
}

export interface DeliveryOptions {
  seed: string;
  /** Messages drawn from the simulation, before duplicates. */
  events: number;
  /** Messages drawn for one batch. */
  batch: number;
}

const hour = 3_600_000_000;
const duplicates = 0.1;
/** Share of the duplicates that arrive much later. */
const lateDuplicates = 0.3;
const longestRepeat = 144 * hour;
const heldBack = 0.05;
const longestHold = 6 * hour;

/**
 * @param next returns the next message of the simulation
 * @param finish returns the messages that are still in its outbox when the events are over
 */
export function* deliver(
  simulation: { next(): Message; finish(): Message[] },
  { seed, events, batch }: DeliveryOptions,
): Generator<Delivery> {
  const random = seededRandom(`delivery/${seed}`);
  const waiting = new Map<number, Message[]>();
  let ready: Message[] = [];
  let at = 0;
  let batches = 0;

  const wait = (message: Message, until: number) => {
    const slot = Math.ceil(until / hour);
    const others = waiting.get(slot);
    if (others === undefined) waiting.set(slot, [message]);
    else others.push(message);
  };
  const post = (message: Message) => {
    at = Math.max(at, message.at);
    if (message.label === 'invalid') return;
    if (random.chance(heldBack)) wait(message, at + random.next() * longestHold);
    else ready.push(message);
    if (!random.chance(duplicates)) return;
    const again: Message = { ...message, label: 'retry', repeats: message.repeats ?? message.number };
    wait(again, at + (random.chance(lateDuplicates) ? random.next() * longestRepeat : 0));
  };
  const arrive = (): Delivery => {
    for (const [slot, messages] of waiting) {
      if (slot * hour > at) continue;
      ready.push(...messages);
      waiting.delete(slot);
    }
    batches += 1;
    const messages = shuffled(ready, `${seed}/${batches}`);
    ready = [];
    return { at, messages };
  };

  for (let drawn = 0; drawn < events; drawn += batch) {
    for (let i = 0; i < Math.min(batch, events - drawn); i++) post(simulation.next());
    yield arrive();
  }
  const rest = simulation.finish();
  for (let from = 0; from < rest.length; from += batch) {
    for (const message of rest.slice(from, from + batch)) post(message);
    yield arrive();
  }
  for (const messages of waiting.values()) ready.push(...messages);
  waiting.clear();
  yield arrive();
}
