import type { Message } from '@croupier/sandbox';
import { eventOf } from './event.ts';

/** A login that happens now, of a player of whom nothing else is told: by it one event can be followed on its way. */
export function loginOf(userId: string): Message {
  return eventOf('login', { user_id: userId });
}
