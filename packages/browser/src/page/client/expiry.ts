import { applied, type Held } from './held.ts';
import type { Message } from './store.ts';

/** `YYYY-MM-DD HH:MM:SS`, UTC, as milliseconds since 1970; what is no time is never reached. */
export function timeOf(text: string): number {
  const found = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text);
  const time = found === null ? Number.NaN : Date.parse(`${found[1]}T${found[2]}Z`);
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

const isOver = ({ Expires }: Message, now: number) => timeOf(Expires) <= now;

/** Takes out what has expired. @param now Milliseconds, of the server's clock. */
export function expired(held: Held, now: number): Held {
  const over = [...held.inbox, ...held.arrivals].filter((message) => isOver(message, now));
  return over.reduce((left, { MessageId }) => applied(left, MessageId, 'delete'), held);
}

/** When the next one expires; Infinity: none does. */
export function nextExpiry({ inbox, arrivals }: Held): number {
  return [...inbox, ...arrivals].reduce(
    (next, { Expires }) => Math.min(next, timeOf(Expires)),
    Number.POSITIVE_INFINITY,
  );
}
