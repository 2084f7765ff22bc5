import type { Message, State } from './store.ts';

/*
 * What is known, and how each thing that happens changes it. Pure: a new value each time, so that it can be tested without a
 * browser, and a late answer can be dropped without a trace.
 *
 * Optimism is a layer of its own: `inbox` and `unread` are the server's word, `pending` what the player did that the server has not
 * confirmed, and `view` lays one over the other. Taking a change back is removing it from `pending`; nothing has to be repaired.
 *
 *   begin: pending ----confirmed----> applied to the server's word, gone from pending
 *                 `----failed-------> gone from pending, `problem` is set
 */
export type Change = 'read' | 'delete';

export interface Held {
  phase: State['phase'];
  /** As the server told it, newest first. Demo messages (negative ids) stand here too, and are nobody's but this page's. */
  inbox: readonly Message[];
  hasMore: boolean;
  /** As the server told it; demo messages are not in it. */
  unread: number;
  pending: ReadonlyMap<number, Change>;
  /** Deleted or withdrawn: an older answer that still has them brings none back. The newest `maxGone`. */
  gone: readonly number[];
  /** Read here or elsewhere since: an older answer makes none unread again. The newest `maxSeen`. */
  read: readonly number[];
  /** Announced already. The newest `maxSeen`. */
  seen: readonly number[];
  arrivals: readonly Message[];
  inboxOpen: boolean;
  openId: number | null;
  problem: State['problem'];
}

const maxGone = 1_000;
const maxSeen = 1_000;
/** Modals and banners that wait; of more, the oldest go. */
const maxArrivals = 50;
/** In the memory of a page. Older ones are fetched again when asked for. */
export const maxInbox = 1_000;

export const nothing: Held = {
  phase: 'idle',
  inbox: [],
  hasMore: false,
  unread: 0,
  pending: new Map(),
  gone: [],
  read: [],
  seen: [],
  arrivals: [],
  inboxOpen: false,
  openId: null,
  problem: null,
};

export const isDemo = ({ MessageId }: Pick<Message, 'MessageId'>) => MessageId < 0;

/** What the screen shows. */
export function view(held: Held): State {
  const { phase, hasMore, arrivals, inboxOpen, openId, problem, pending } = held;
  let { unread } = held;
  const inbox: Message[] = [];
  for (const message of held.inbox) {
    const change = pending.get(message.MessageId);
    if (isDemo(message) && !message.IsRead) unread++;
    if (change !== undefined && !message.IsRead) unread--;
    if (change === 'read') inbox.push({ ...message, IsRead: true });
    else if (change === undefined) inbox.push(message);
  }
  const open = inbox.some(({ MessageId }) => MessageId === openId) ? openId : null;
  return { phase, inbox, hasMore, unread: Math.max(0, unread), inboxOpen, openId: open, arrivals, problem };
}

/** The newest page of the inbox. @param unread Null: the page is the whole inbox, which counts itself. */
export function listed(held: Held, page: readonly Message[], unread: number | null): Held {
  const isAll = unread === null;
  const fresh = page
    .filter(({ MessageId }) => !held.gone.includes(MessageId))
    .map((one) => (held.read.includes(one.MessageId) ? { ...one, IsRead: true } : one));
  const oldest = Math.min(...fresh.map(({ MessageId }) => MessageId));
  const older = isAll ? [] : held.inbox.filter((one) => !isDemo(one) && one.MessageId < oldest);
  const demos = held.inbox.filter(isDemo);
  const inbox = [...demos, ...fresh, ...older].slice(0, maxInbox);
  return {
    ...held,
    inbox,
    unread: unread ?? fresh.filter(({ IsRead }) => !IsRead).length,
    hasMore: !isAll && (older.length === 0 || held.hasMore),
  };
}

/** The page after those that are known. */
export function continued(held: Held, page: readonly Message[], hasMore: boolean): Held {
  const known = new Set([...held.gone, ...held.inbox.map(({ MessageId }) => MessageId)]);
  const inbox = [...held.inbox, ...page.filter(({ MessageId }) => !known.has(MessageId))];
  return { ...held, inbox: inbox.slice(0, maxInbox), hasMore: hasMore && inbox.length < maxInbox };
}

export const isSeen = (held: Held, id: number) => held.seen.includes(id) || held.gone.includes(id);

/** A message that is new to this page, to be shown now: a modal, a banner, or the hint of an inbox message. */
export function announced(held: Held, message: Message): Held {
  if (isSeen(held, message.MessageId)) return held;
  const seen = [message.MessageId, ...held.seen].slice(0, maxSeen);
  const shows = !message.IsRead && (message.Event !== 'inbox' || message.DisplayType === 'push');
  return { ...held, seen, arrivals: shows ? [...held.arrivals, message].slice(-maxArrivals) : held.arrivals };
}

/** A new inbox message that came by itself, not in a list. */
export function added(held: Held, message: Message): Held {
  if (held.gone.includes(message.MessageId)) return held;
  if (held.inbox.some(({ MessageId }) => MessageId === message.MessageId)) return held;
  const inbox = [...held.inbox, message].sort((a, b) => newestFirst(a, b));
  const counts = !message.IsRead && !isDemo(message);
  return { ...held, inbox: inbox.slice(0, maxInbox), unread: held.unread + (counts ? 1 : 0) };
}

/** Demo messages on top, the last one first. */
function newestFirst(a: Message, b: Message): number {
  const place = (one: Message) => (isDemo(one) ? Number.MAX_SAFE_INTEGER + one.MessageId : one.MessageId);
  return isDemo(a) && isDemo(b) ? a.MessageId - b.MessageId : place(b) - place(a);
}

export function begun(held: Held, id: number, change: Change): Held {
  return { ...held, problem: null, pending: new Map(held.pending).set(id, change) };
}

export function failed(held: Held, id: number, change: Change): Held {
  return { ...held, problem: change === 'read' ? 'read_failed' : 'delete_failed', pending: without(held.pending, id) };
}

/** Confirmed by the answer, or told by the server because it was done elsewhere. `unread`: its count after that, if it said one. */
export function applied(held: Held, id: number, change: Change, unread?: number): Held {
  const known = held.inbox.find(({ MessageId }) => MessageId === id);
  const counted = known !== undefined && !known.IsRead && !isDemo(known);
  const inbox =
    change === 'read'
      ? held.inbox.map((one) => (one === known ? { ...one, IsRead: true } : one))
      : held.inbox.filter((one) => one !== known);
  return {
    ...held,
    inbox,
    unread: unread ?? Math.max(0, held.unread - (counted ? 1 : 0)),
    // A read that is confirmed after the player has deleted the message leaves that as it is.
    pending: change === 'read' && held.pending.get(id) === 'delete' ? held.pending : without(held.pending, id),
    gone: change === 'delete' ? [id, ...held.gone].slice(0, maxGone) : held.gone,
    read: change === 'read' ? [id, ...held.read].slice(0, maxSeen) : held.read,
    arrivals: held.arrivals.filter(({ MessageId }) => MessageId !== id),
  };
}

function without(pending: Held['pending'], id: number): Held['pending'] {
  if (!pending.has(id)) return pending;
  const rest = new Map(pending);
  rest.delete(id);
  return rest;
}
