import { seededRandom } from '../random.ts';
import type { Message } from './message.ts';

/** Functions that disorder a list of messages as a network does. Each returns a new list and is reproducible by its seed. */

/**
 * Repeats each message with the given probability, byte for byte, at a random place after the original. Invalid messages
 * are not repeated.
 */
export function duplicated(messages: readonly Message[], options: { rate: number; seed?: number | string }): Message[] {
  const random = seededRandom(`duplicated/${options.seed ?? 1}`);
  const placed: { place: number; message: Message }[] = [];
  messages.forEach((message, place) => {
    placed.push({ place, message });
    if (message.label === 'invalid' || !random.chance(options.rate)) return;
    const copy: Message = { ...message, label: 'retry', repeats: message.repeats ?? message.number };
    placed.push({ place: place + random.next() * (messages.length - place), message: copy });
  });
  return placed.sort((a, b) => a.place - b.place).map((entry) => entry.message);
}

/** Shuffles the messages. */
export function shuffled(messages: readonly Message[], seed: number | string = 1): Message[] {
  const random = seededRandom(`shuffled/${seed}`);
  return messages
    .map((message) => ({ message, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map((entry) => entry.message);
}
