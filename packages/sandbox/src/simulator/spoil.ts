import type { EventKind } from '@croupier/contracts';
import type { Random } from '../random.ts';
import type { Body } from './message.ts';

/** Ways to break a message so that it must be refused. Each returns undefined where it does not apply. */
type Breakage = (kind: EventKind, body: Body) => string | undefined;

const closedTypes: readonly EventKind[] = ['payment', 'casino', 'sports', 'lottery'];

function without(body: Body, name: string): string | undefined {
  if (body[name] === undefined) return undefined;
  const { [name]: _, ...rest } = body;
  return JSON.stringify(rest);
}

function withValue(body: Body, name: string, value: unknown): string | undefined {
  return body[name] === undefined ? undefined : JSON.stringify({ ...body, [name]: value });
}

const waysToBreak: readonly [Breakage, ...Breakage[]] = [
  (_, body) => without(body, 'user_id'),
  (_, body) => withValue(body, 'user_id', '  '),
  (_, body) => withValue(body, 'user_id', { id: body.user_id }),
  (_, body) => without(body, 'timestamp'),
  (_, body) => withValue(body, 'timestamp', 'yesterday at noon'),
  (_, body) => withValue(body, 'timestamp', '1999-12-31T23:59:59Z'),
  (_, body) => JSON.stringify([body]),
  (_, body) => JSON.stringify(body).slice(0, -7),
  (_, body) => withValue(body, 'amount', -5),
  (_, body) => withValue(body, 'amount', 'NaN'),
  (_, body) => without(body, 'amount'),
  (_, body) => without(body, 'currency') ?? without(body, 'user_currency'),
  (_, body) => withValue(body, 'exchange_rate', 0),
  (kind, body) => (closedTypes.includes(kind) ? withValue(body, 'type', 'Jackpot') : undefined),
  (kind, body) => (kind === 'payment' ? withValue(body, 'status', 'Aproved') : undefined),
];

/** Returns a broken variant of a valid body. */
export function spoilt(kind: EventKind, body: Body, random: Random): string {
  for (;;) {
    const text = random.pick(waysToBreak)(kind, body);
    if (text !== undefined) return text;
  }
}
