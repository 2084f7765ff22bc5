import { destinations, type Message } from '@croupier/sandbox';

let number = 0;

/** A login that happens now, of a player of whom nothing else is told: by it one event can be followed on its way. */
export function loginOf(userId: string): Message {
  number += 1;
  const now = new Date();
  return {
    ...{ number, kind: 'login', label: 'event', user_id: userId, at: now.getTime() * 1000 },
    ...destinations.login,
    body: JSON.stringify({ user_id: userId, origin: 'faults.test', timestamp: now.toISOString() }),
  };
}
