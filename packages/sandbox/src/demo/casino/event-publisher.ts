import type { OperatorEventKind } from '@croupier/contracts';
import type { Publisher } from '../../publisher/index.ts';
import { destinations, type Message } from '../../simulator/index.ts';
import { type PlatformAnswer, readAnswer } from './platform-answer.ts';

/**
 * Publishes what a visitor does to the platform. The casino's server does this, because only the server has the key. A page
 * never sees the key.
 *
 * A visitor's click does not wait for the platform. The publisher retries each event until it is acknowledged. While the
 * platform is unavailable, up to `underWayLimit` events wait in memory. Above this limit, the casino says that it is closed, so
 * that no event is lost.
 */
export interface PublishedEvent {
  number: number;
  kind: OperatorEventKind;
  path: string;
  method: string;
  body: Record<string, unknown>;
  /** Milliseconds since the epoch. */
  at: number;
  state: 'waiting' | 'acknowledged' | 'refused' | 'given_up';
  /** Milliseconds until the platform acknowledged it. Null if it is not acknowledged yet. */
  took: number | null;
  /** Number of answers. There are several if the event was sent again. */
  answers: number;
  /** The last answer. Null if the platform has not answered yet. */
  answer: PlatformAnswer | null;
  /** The last answer other than 200. It says why an event is in quarantine. Null if there was none. */
  refusal: PlatformAnswer | null;
}

export type EventPublisher = ReturnType<typeof createEventPublisher>;

const underWayLimit = 500;
/** Maximum number of events per visitor that the developers' page can show, and of visitors whose events are kept. */
const maxListed = 25;
const visitorLimit = 500;

export const origin = 'www.demo-casino.test';

export function createEventPublisher(publisher: Pick<Publisher, 'publish'>, signal: AbortSignal) {
  const messagesOf = new Map<string, PublishedEvent[]>();
  let underWay = 0;
  let number = 0;
  let lastAt = 0;

  /** Returns a time later than all those returned before, so that two events of one player never have the same timestamp. */
  function moment(): number {
    lastAt = Math.max(lastAt + 1, Date.now());
    return lastAt;
  }

  function remember(userId: string, event: PublishedEvent): void {
    const list = messagesOf.get(userId) ?? [];
    list.unshift(event);
    list.length = Math.min(list.length, maxListed);
    // Deleting and inserting the entry again moves it to the end. So the visitor whose last event is the oldest is
    // dropped first.
    messagesOf.delete(userId);
    messagesOf.set(userId, list);
    for (const oldest of messagesOf.keys()) {
      if (messagesOf.size <= visitorLimit) break;
      messagesOf.delete(oldest);
    }
  }

  return {
    /** Returns false if too many events are waiting. Check it before any action that must be published. */
    hasRoom: () => underWay < underWayLimit,

    /** Publishes one event of a player immediately and retries it until it is acknowledged. Adds time, origin and player. */
    publish(userId: string, kind: OperatorEventKind, more: Record<string, unknown> = {}): PublishedEvent {
      const at = moment();
      const { method, path } = destinations[kind];
      const body = { user_id: userId, timestamp: new Date(at).toISOString(), origin, ...more };
      number += 1;
      const event: PublishedEvent = {
        number,
        kind,
        path,
        method,
        body,
        at,
        state: 'waiting',
        took: null,
        answers: 0,
        answer: null,
        refusal: null,
      };
      remember(userId, event);
      underWay += 1;
      const message: Message = {
        number,
        method,
        path,
        kind,
        user_id: userId,
        label: 'event',
        body: JSON.stringify(body),
        at: at * 1000,
      };
      const started = performance.now();
      const onAnswer = (status: number, text: string) => {
        event.answers += 1;
        event.answer = readAnswer(status, text);
        if (status !== 200) event.refusal = event.answer;
      };
      void publisher.publish(message, signal, onAnswer).then((state) => {
        underWay -= 1;
        event.state = state;
        event.took = state === 'acknowledged' ? Math.round((performance.now() - started) * 10) / 10 : null;
      });
      return event;
    },

    /** Returns the published events of a player, newest first. */
    of: (userId: string): readonly PublishedEvent[] => messagesOf.get(userId) ?? [],
  };
}
