import type { Message } from '@croupier/sandbox';
import { eventOf } from './event.ts';

/** A current login of a player without any other event, so that this one event can be followed through the platform. */
export function loginOf(userId: string): Message {
  return eventOf('login', { user_id: userId });
}
