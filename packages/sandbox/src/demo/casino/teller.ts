import type { OperatorEventKind } from '@croupier/contracts';
import type { Publisher } from '../../publisher/index.ts';
import { destinations, type Message } from '../../simulator/index.ts';

/**
 * The casino's word to the platform: what a visitor does is published from here, by the casino's server, which alone has
 * the key. A page never sees it.
 *
 * A visitor's click does not wait for the platform. The publisher repeats each event until it is acknowledged; while the
 * platform is away, `underWayLimit` of them wait in memory, and then the casino says that it is closed rather than lose one.
 */
export interface Told {
  number: number;
  kind: OperatorEventKind;
  path: string;
  method: string;
  body: Record<string, unknown>;
  /** Milliseconds since the epoch. */
  at: number;
  state: 'waiting' | 'acknowledged' | 'refused' | 'given_up';
  /** Milliseconds until it was acknowledged. */
  took: number | null;
}

export type Teller = ReturnType<typeof createTeller>;

const underWayLimit = 500;
/** Events of one visitor that the developers' page can show, and visitors of whom they are kept. */
const maxListed = 25;
const visitorLimit = 500;

export const origin = 'www.demo-casino.test';

export function createTeller(publisher: Publisher, signal: AbortSignal) {
  const messagesOf = new Map<string, Told[]>();
  let underWay = 0;
  let number = 0;
  let lastAt = 0;

  /** Later than any moment given out before, so that two events of one player never share one. */
  function moment(): number {
    lastAt = Math.max(lastAt + 1, Date.now());
    return lastAt;
  }

  function remember(userId: string, told: Told): void {
    const list = messagesOf.get(userId) ?? [];
    list.unshift(told);
    list.length = Math.min(list.length, maxListed);
    // Taken out and put in again, so that the one who was quiet longest is forgotten first.
    messagesOf.delete(userId);
    messagesOf.set(userId, list);
    for (const oldest of messagesOf.keys()) {
      if (messagesOf.size <= visitorLimit) break;
      messagesOf.delete(oldest);
    }
  }

  return {
    /** False: too much is waiting already; whoever wants to do something that must be told should not do it. */
    hasRoom: () => underWay < underWayLimit,

    /** Publishes one event of a player, at once and until it is acknowledged. Time, origin and player are added. */
    tell(userId: string, kind: OperatorEventKind, more: Record<string, unknown> = {}): Told {
      const at = moment();
      const { method, path } = destinations[kind];
      const body = { user_id: userId, timestamp: new Date(at).toISOString(), origin, ...more };
      number += 1;
      const told: Told = { number, kind, path, method, body, at, state: 'waiting', took: null };
      remember(userId, told);
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
      void publisher.publish(message, signal).then((state) => {
        underWay -= 1;
        told.state = state;
        told.took = state === 'acknowledged' ? Math.round((performance.now() - started) * 10) / 10 : null;
      });
      return told;
    },

    /** What was told of a player, newest first. */
    of: (userId: string): readonly Told[] => messagesOf.get(userId) ?? [],
  };
}
