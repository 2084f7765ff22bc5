import { playerOfChannel } from './channel.ts';
import type { ChannelSigner } from './channel-signer.ts';
import type { CloseReason } from './close-codes.ts';
import type { subscriptionRefusals } from './frames.ts';
import type { SocketLimits } from './limits.ts';
import type { LiveSocket } from './live-socket.ts';

export interface SubscriptionRules {
  signer: Pick<ChannelSigner, 'isRight'>;
  subscribers: { count(playerId: number): number };
  limits: Pick<SocketLimits, 'max_per_player'>;
  /** Sockets older than this many milliseconds get no new channel, because ends of sessions are not kept longer. */
  maxSubscribeAgeMs: number;
  now(): number;
}

export type SubscriptionDecision =
  | { kind: 'refuse'; refusal: keyof typeof subscriptionRefusals }
  | { kind: 'close'; reason: CloseReason }
  /** The socket already has the channel. */
  | { kind: 'again' }
  /** The socket is about to get the channel. */
  | { kind: 'wait' }
  | { kind: 'take'; player_id: number; snapshot: string };

const refuse = (refusal: keyof typeof subscriptionRefusals): SubscriptionDecision => ({ kind: 'refuse', refusal });

/**
 * Whether a socket may have the requested channel, apart from the end of the session, which only the database knows.
 *
 * The proof is checked before anything that depends on the player, so that nothing about another player can be learned.
 */
export function decideSubscription(
  socket: Pick<LiveSocket, 'id' | 'brand' | 'subscription' | 'snapshot' | 'openedAt'>,
  { channel, auth }: { channel: string; auth: string },
  { signer, subscribers, limits, maxSubscribeAgeMs, now }: SubscriptionRules,
): SubscriptionDecision {
  const { brand, subscription: held, snapshot } = socket;
  const player_id = playerOfChannel(brand, channel);
  if (player_id === null) return refuse('foreign_channel');
  // The client does not know the id yet, so no valid proof for it can exist.
  if (snapshot === null || !signer.isRight(brand, { socketId: socket.id, channel, auth })) return refuse('wrong_auth');
  if (held !== null && held.channel !== channel) return refuse('one_channel');
  if (held !== null) return { kind: held.state === 'subscribed' ? 'again' : 'wait' };
  if (now() - socket.openedAt > maxSubscribeAgeMs) return { kind: 'close', reason: 'too_old' };
  if (subscribers.count(player_id) >= limits.max_per_player) return refuse('too_many_sockets');
  return { kind: 'take', player_id, snapshot };
}
