import { serverNow } from './http.ts';
import { isDemo, type Message, type State } from './store.ts';
import { timeOf } from './time.ts';

/*
 * What is known about the player's messages, and what of it is shown.
 *
 * Optimism is a layer of its own: `inbox` and `unreadOnServer` are the server's word, `pending` is what the player did that the server has not
 * confirmed, and the view lays one over the other. Taking a change back is removing it from `pending`; nothing has to be repaired.
 *
 *   begin: pending --confirmed--> applied to the server's word, gone from pending
 *                  '--refused---> gone from pending, and `problem` is set
 *
 * Answers overtake one another, so what is known of a message only ever grows: seen < read < gone. A list that was asked for before a
 * message was read or deleted makes it neither unread nor whole again. How many are unread, and what is not in a list, cannot be known of
 * one that was overtaken: by `changes` whoever asks sees that, and asks again.
 */
export type Change = 'read' | 'delete';
type Mark = 1 | 2 | 3;
const seen = 1;
const read = 2;
const gone = 3;

/** Messages that are remembered by number; of more, the oldest are forgotten. */
const maxMarks = 5_000;
/** In the memory of a page; older ones are fetched when asked for. */
export const maxInbox = 1_000;
/** Modals and banners that wait; of more, the oldest go. */
const maxArrivals = 50;
/** 23 days: no timer waits longer than 24.8. A later expiry is looked at again then. */
const maxTimerMs = 2e9;

const nothing: State = {
  phase: 'idle',
  inbox: [],
  hasMore: false,
  unread: 0,
  inboxOpen: false,
  openId: null,
  arrivals: [],
  problem: null,
};

export type Model = ReturnType<typeof createModel>;

/**
 * The model as a visit holds it: closed once the visit has ended, so that nothing of a former player's that is late, or half done when the
 * page itself changes the player, reaches the screen.
 */
export function closedOnceEnded(ended: AbortSignal, model: Model): Model {
  return new Proxy(model, {
    // In place of each function the one that changes nothing.
    get: (open, name) => open[ended.aborted ? 'get' : (name as keyof Model)],
  });
}

/** @param onUnread Called when the count that is shown has changed, and nothing of ours is under way: the page may do anything then. */
export function createModel(onUnread: (unread: number) => void) {
  const listeners = new Set<() => void>();
  const marks = new Map<number, Mark>();
  const pending = new Map<number, Change>();
  let state = nothing;
  /** The count that `onUnread` was last called with. */
  let reportedUnread = 0;
  /** As the server told it, newest first; and demo messages, which no server knows. */
  let inbox: readonly Message[] = [];
  /** Unread ones, as the server told it: of all, not only of those that were fetched. */
  let unreadOnServer = 0;
  /** The inbox was listed since it was empty: from now on what a list brings is news. */
  let isListed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let changes = 0;

  const markOf = ({ MessageId }: Message) => marks.get(MessageId) ?? 0;
  const isRead = (message: Message) => message.IsRead || markOf(message) >= read;
  const mark = (id: number, as: Mark) => {
    changes++;
    if ((marks.get(id) ?? 0) < as) marks.set(id, as);
    const [first] = marks.keys();
    if (marks.size > maxMarks && first) marks.delete(first);
  };
  const find = (id: number) => [...inbox, ...state.arrivals].find(({ MessageId }) => MessageId === id);

  /** The state anew: the server's word, what is pending over it, and `part`. */
  const show = (part: Partial<State> = {}) => {
    const shown: Message[] = [];
    let unread = unreadOnServer;
    inbox = inbox.filter((one) => markOf(one) < gone).slice(0, maxInbox);
    for (const message of inbox) {
      const change = pending.get(message.MessageId);
      const wasRead = isRead(message);
      if (!wasRead) unread += +isDemo(message) - +!!change;
      if (change !== 'delete') shown.push({ ...message, IsRead: wasRead || !!change });
    }
    state = { ...state, ...part, inbox: shown, unread: Math.max(0, unread) };
    // What is read, here or elsewhere, is announced no longer.
    state.arrivals = state.arrivals.filter((one) => !isRead(one) && !pending.has(one.MessageId)).slice(-maxArrivals);
    if (!shown.some(({ MessageId }) => MessageId === state.openId)) state.openId = null;
    clearTimeout(timer);
    const next = Math.min(...[...inbox, ...state.arrivals].map(({ Expires }) => timeOf(Expires)));
    timer = setTimeout(expire, Math.min(maxTimerMs, next - serverNow()));
    for (const listener of listeners) listener();
    queueMicrotask(() => {
      if (reportedUnread === state.unread) return;
      reportedUnread = state.unread;
      onUnread(reportedUnread);
    });
  };
  const expire = () => {
    for (const one of [...inbox, ...state.arrivals])
      if (timeOf(one.Expires) <= serverNow()) take(one.MessageId, 'delete');
    show();
  };

  /** Into the server's word. */
  const take = (id: number, change: Change) => {
    const known = inbox.find(({ MessageId }) => MessageId === id);
    if (known && !isRead(known) && !isDemo(known)) unreadOnServer--;
    mark(id, change === 'read' ? read : gone);
    // A read that is confirmed after the player has deleted the message leaves that as it is.
    if (change === 'delete' || pending.get(id) === change) pending.delete(id);
  };

  return {
    get: () => state,
    /** A number that is another one when a message has come, was read or has gone. */
    changes: () => changes,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Phase, what is open, and what the screen is told; the rest follows from the messages. */
    show,
    /** The player leaves. Demo messages go, too: the page may have made them for this player. */
    clear(phase: State['phase']) {
      marks.clear();
      pending.clear();
      unreadOnServer = 0;
      isListed = false;
      inbox = [];
      show({ ...nothing, phase, inboxOpen: state.inboxOpen && phase !== 'idle' });
    },
    /**
     * The newest page of the inbox. Nothing of the first one is to be announced.
     *
     * @param unread Null: the page is the whole inbox, which counts itself.
     */
    list(page: readonly Message[], unread: number | null) {
      if (!isListed) for (const { MessageId } of page) mark(MessageId, seen);
      isListed = true;
      const oldest = page.at(-1)?.MessageId ?? 0;
      const older = inbox.filter((one) => unread !== null && one.MessageId < oldest);
      inbox = [...inbox.filter(isDemo), ...page, ...older];
      unreadOnServer = unread ?? page.filter((one) => !isRead(one)).length;
      show({ hasMore: unread !== null && (!older.length || state.hasMore) });
    },
    /** The page after the last message. */
    continue(page: readonly Message[], hasMore: boolean) {
      const last = inbox.at(-1)?.MessageId ?? 0;
      inbox = [...inbox, ...page.filter(({ MessageId }) => MessageId < last)];
      show({ phase: 'ready', hasMore: hasMore && inbox.length < maxInbox });
    },
    /** A message that came by itself, or that a list has and the page did not know. @returns whether it is new to this page. */
    arrive(message: Message, intoInbox: boolean): boolean {
      if (markOf(message)) return false;
      const isKnown = find(message.MessageId);
      mark(message.MessageId, seen);
      if (intoInbox && !isKnown) {
        inbox = [...inbox, message].sort((a, b) => b.MessageId - a.MessageId);
        if (!message.IsRead && !isDemo(message)) unreadOnServer++;
      }
      const isShown = message.Event !== 'inbox' || message.DisplayType === 'push';
      show(isShown ? { arrivals: [...state.arrivals, message] } : {});
      return true;
    },
    /** A modal, banner or hint was closed, here or in another tab: it is announced no longer, and is as unread as before. */
    close(id: number) {
      mark(id, seen);
      show({ arrivals: state.arrivals.filter(({ MessageId }) => MessageId !== id) });
    },
    /** @returns whether the server is to be asked: not for a demo message, nor for what is so, or on its way, already. */
    begin(id: number, change: Change): boolean {
      const known = find(id);
      const before = pending.get(id);
      if (!known || before === change || before === 'delete' || (change === 'read' && isRead(known))) return false;
      if (isDemo(known)) take(id, change);
      else pending.set(id, change);
      show({ problem: null });
      return !isDemo(known);
    },
    /** Confirmed, or done elsewhere. @param unread The server's count after it, if it said one. */
    apply(id: number, change: Change, unread?: number) {
      take(id, change);
      unreadOnServer = unread ?? unreadOnServer;
      show();
    },
    takeBack(id: number, change: Change) {
      if (pending.get(id) !== change) return;
      pending.delete(id);
      show({ problem: `${change}_failed` });
    },
  };
}
