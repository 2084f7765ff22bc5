import { activityTimeoutSeconds } from './limits.ts';

/*
 * Messages of the Pusher protocol 7: {event, channel?, data?}. Data that the platform sends is JSON text inside the JSON, as
 * the libraries of all platforms expect; clients may send either form.
 */
export type ClientFrame =
  | { kind: 'subscribe'; channel: string; auth: string }
  | { kind: 'unsubscribe'; channel: string }
  | { kind: 'ping' }
  | { kind: 'pong' }
  | { kind: 'client_event' }
  | { kind: 'unknown' };

/** Null for text that is not a message of the protocol. */
export function readFrame(text: string): ClientFrame | null {
  const frame = objectOf(text);
  if (frame === null || typeof frame.event !== 'string') return null;
  const { channel, auth } = objectOf(frame.data) ?? {};
  switch (frame.event) {
    case 'pusher:subscribe':
      if (typeof channel !== 'string') return null;
      return { kind: 'subscribe', channel, auth: typeof auth === 'string' ? auth : '' };
    case 'pusher:unsubscribe':
      return typeof channel === 'string' ? { kind: 'unsubscribe', channel } : null;
    case 'pusher:ping':
      return { kind: 'ping' };
    case 'pusher:pong':
      return { kind: 'pong' };
    default:
      return { kind: frame.event.startsWith('client-') ? 'client_event' : 'unknown' };
  }
}

function objectOf(value: unknown): Record<string, unknown> | null {
  const read = typeof value === 'string' ? parsed(value) : value;
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const ping = frame('pusher:ping', {});
export const pong = frame('pusher:pong', {});

export function established(socketId: string): string {
  return frame('pusher:connection_established', { socket_id: socketId, activity_timeout: activityTimeoutSeconds });
}

/** @param code null if the protocol has none; the socket stays open */
export function errorFrame(code: number | null, message: string): string {
  return frame('pusher:error', { code, message });
}

export function subscribed(channel: string): string {
  return frame('pusher_internal:subscription_succeeded', {}, channel);
}

export const subscriptionRefusals = {
  wrong_auth: { type: 'AuthError', status: 401, error: 'The auth does not match this socket and channel.' },
  foreign_channel: { type: 'AuthError', status: 403, error: "Only the player's private channel is available." },
  one_channel: {
    type: 'LimitReached',
    status: 429,
    error: 'The socket already has a channel. Unsubscribe from it first.',
  },
  too_many_sockets: {
    type: 'LimitReached',
    status: 429,
    error: 'The player has reached the limit of subscribed sockets.',
  },
} as const;

export function subscriptionRefused(channel: string, refusal: keyof typeof subscriptionRefusals): string {
  return frame('pusher:subscription_error', subscriptionRefusals[refusal], channel);
}

export function frame(event: string, data: unknown, channel?: string): string {
  return JSON.stringify({ event, ...(channel === undefined ? {} : { channel }), data: JSON.stringify(data) });
}
