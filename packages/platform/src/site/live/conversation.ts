import type { RawData } from 'ws';
import type { CloseReason } from './close-codes.ts';
import { errorFrame, pong, readFrame, subscribed, subscriptionRefused } from './frames.ts';
import type { LiveSocket, Subscription } from './live-socket.ts';
import type { Subscribers } from './subscribers.ts';
import { decideSubscription, type SubscriptionRules } from './subscription-decision.ts';

export interface ConversationDeps extends SubscriptionRules {
  subscribers: Subscribers;
  /** Whether a session of the player ended after the snapshot. */
  hasEnded(question: { player_id: number; snapshot: string }): Promise<boolean>;
  close(socket: LiveSocket, reason: CloseReason): void;
}

/** Answers the frames of clients. Never throws. */
export class Conversation {
  readonly #deps: ConversationDeps;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
  }

  received(socket: LiveSocket, data: RawData, isBinary: boolean): void {
    if (socket.isClosed) return;
    if (!socket.countFrame(this.#deps.now())) {
      this.#deps.close(socket, 'too_many_frames');
      return;
    }
    const frame = isBinary ? null : readFrame(String(data));
    if (frame === null) {
      this.#refuse(socket, errorFrame(null, 'Not a message of the Pusher protocol.'));
      return;
    }
    switch (frame.kind) {
      case 'ping':
        this.#send(socket, pong);
        break;
      case 'pong':
        break;
      case 'subscribe':
        this.#subscribe(socket, frame);
        break;
      case 'unsubscribe':
        if (socket.subscription?.channel === frame.channel) this.unsubscribe(socket);
        break;
      case 'client_event':
        this.#send(socket, errorFrame(null, 'Client events are not supported.'));
        break;
      case 'unknown':
        this.#send(socket, errorFrame(null, 'Unknown event.'));
        break;
      default:
        frame satisfies never;
    }
  }

  #subscribe(socket: LiveSocket, asked: { channel: string; auth: string }): void {
    const decision = decideSubscription(socket, asked, this.#deps);
    switch (decision.kind) {
      case 'refuse':
        this.#refuse(socket, subscriptionRefused(asked.channel, decision.refusal));
        break;
      case 'close':
        this.#deps.close(socket, decision.reason);
        break;
      case 'again':
        this.#send(socket, subscribed(asked.channel));
        break;
      case 'wait':
        break;
      case 'take':
        this.#take(socket, { channel: asked.channel, player_id: decision.player_id, state: 'pending' }, decision);
        break;
      default:
        decision satisfies never;
    }
  }

  #take(socket: LiveSocket, subscription: Subscription, { snapshot }: { snapshot: string }): void {
    const { subscribers, hasEnded, close } = this.#deps;
    const { player_id, channel } = subscription;
    // Add the socket to the subscribers before the query: an end that is committed after the query arrives as a signal.
    socket.subscription = subscription;
    subscribers.add(player_id, socket);
    hasEnded({ player_id, snapshot }).then(
      (ended) => {
        if (socket.isClosed || socket.subscription !== subscription) return;
        if (ended) {
          close(socket, 'authorize_again');
          return;
        }
        subscription.state = 'subscribed';
        this.#send(socket, subscribed(channel));
      },
      () => close(socket, 'unavailable'),
    );
  }

  unsubscribe(socket: LiveSocket): void {
    if (socket.subscription === null) return;
    this.#deps.subscribers.remove(socket.subscription.player_id, socket);
    socket.unsubscribed(this.#deps.now());
  }

  #refuse(socket: LiveSocket, text: string): void {
    this.#send(socket, text);
    if (!socket.refused()) this.#deps.close(socket, 'refused_often');
  }

  #send(socket: LiveSocket, text: string): void {
    if (!socket.send(text)) this.#deps.close(socket, 'slow_consumer');
  }
}
