import type { OperatorEventKind } from '@croupier/contracts';
import { destinations, type Message } from '@croupier/sandbox';

let number = 0;

/** One additional event with the current time, next to those of the simulation. */
export function eventOf(kind: OperatorEventKind, body: { user_id: string; [field: string]: unknown }): Message {
  number += 1;
  const now = new Date();
  return {
    number,
    kind,
    label: 'event',
    user_id: body.user_id,
    at: now.getTime() * 1000,
    ...destinations[kind],
    body: JSON.stringify({ timestamp: now.toISOString(), origin: 'faults.test', ...body }),
  };
}
