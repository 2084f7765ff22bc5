import type { Installation } from '../installation/installation.ts';
import { until } from '../installation/until.ts';
import { openPusherSocket, openScriptSocket } from './page-sockets.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visits.ts';

/**
 * An open page of a player: what it received through its socket, and through the list that it requests after each subscription.
 */
export interface OpenPage {
  user_id: string;
  /** Oldest first. */
  connections: readonly Connection[];
  /** When the page first received each message (performance.now), by MessageId. */
  learned: ReadonlyMap<number, number>;
  /** The unread messages that the page polled since its socket ended. Absent if there was no poll, or if the page has a socket again. */
  polled?: ReadonlySet<number>;
}

/** The time from one subscription to the end of its socket. */
export interface Connection {
  upAt: number;
  /** Absent while the connection is up. */
  downAt?: number;
  /** Events about messages, in their order. */
  told: Told[];
  /** The unread messages that were listed after the subscription. Absent if there was no answer yet. */
  listed?: ReadonlySet<number>;
}

export interface Told {
  /** `message`, `shoutout` and `inbox` say that it arrived. The others are `read`, `deleted` and `withdrawn`. */
  event: string;
  message_id: number;
  /** performance.now */
  at: number;
}

export interface OpenPages extends Disposable {
  pages: readonly OpenPage[];
}

const arrivals: ReadonlySet<string> = new Set(['message', 'shoutout', 'inbox']);
export const isArrival = ({ event }: Told): boolean => arrivals.has(event);

/** Every third page uses the public client, the others that of our script. */
const pusherEvery = 3;
const openLimitMs = 30_000;

/** Opens a page for each visitor; resolves when all of them are subscribed and have their list. */
export async function openPages(
  { installation, site }: { installation: Installation; site: Site },
  visitors: readonly Pick<Visitor, 'user_id' | 'sid'>[],
): Promise<OpenPages> {
  const closing = new AbortController();
  const open = visitors.map((visitor, n) =>
    openPage(visitor, {
      installation,
      site,
      ended: closing.signal,
      openSocket: n % pusherEvery === 0 ? openPusherSocket : openScriptSocket,
    }),
  );
  const pages = await Promise.all(open);
  const areUp = () => pages.every(({ connections }) => connections.at(-1)?.listed !== undefined);
  await until('all pages to be subscribed', areUp, { limitMs: openLimitMs });
  return { pages, [Symbol.dispose]: () => closing.abort() };
}

async function openPage(
  { user_id, sid }: Pick<Visitor, 'user_id' | 'sid'>,
  options: {
    installation: Installation;
    site: Site;
    ended: AbortSignal;
    openSocket: typeof openScriptSocket;
  },
): Promise<OpenPage> {
  const { installation, site, ended, openSocket } = options;
  const connections: Connection[] = [];
  const learned = new Map<number, number>();
  const page: OpenPage = { user_id, connections, learned };
  const record = (id: number) => {
    if (!learned.has(id)) learned.set(id, performance.now());
  };
  const list = async (keep: (listed: Set<number>) => void) => {
    const unread = 'Notifications/v2/user-notifications?unread-only=true';
    const messages = await site.insist<{ MessageId: number }[]>(sid, 'GET', unread);
    const listed = new Set(messages.map(({ MessageId }) => MessageId));
    listed.forEach(record);
    keep(listed);
  };
  /** A list without an answer is then missing, which the checker finds. */
  const givenUp = () => undefined;
  const { User } = await site.insist<Login>(sid, 'POST', 'Platform/LoginAuthToken');
  openSocket({
    installation,
    sid,
    channel: `private-crm-${User.BrandId}-${User.UserId}`,
    ended,
    onUp() {
      const connection: Connection = { upAt: performance.now(), told: [] };
      connections.push(connection);
      delete page.polled;
      list((listed) => {
        connection.listed = listed;
      }).catch(givenUp);
    },
    onPoll() {
      list((listed) => {
        if (connections.at(-1)?.downAt !== undefined) page.polled = listed;
      }).catch(givenUp);
    },
    onDown() {
      const last = connections.at(-1);
      if (last !== undefined) last.downAt ??= performance.now();
    },
    onEvent(event, data) {
      const { MessageId: message_id } = data as { MessageId?: number };
      if (message_id === undefined) return;
      const told = { event, message_id, at: performance.now() };
      connections.at(-1)?.told.push(told);
      if (isArrival(told)) record(message_id);
    },
  });
  return page;
}

interface Login {
  User: { UserId: number; BrandId: number };
}
