import { serverNow } from './http.ts';
import { isDemo, type Message, type State } from './store.ts';
import { timeOf } from './time.ts';

/*
 * The player's messages, and what is shown of them.
 *
 * Optimistic changes are a separate layer: `inbox` and `unreadOnServer` are the server's state, `pending` contains the player's
 * changes that the server has not confirmed, and the view combines both. To revert a change, it is removed from `pending`.
 * Nothing else has to be corrected.
 *
 *   begin: pending --confirmed--> applied to the server's state, removed from pending
 *                  '--refused---> removed from pending, and `problem` is set
 *
 * Answers may arrive out of order, so the state of a message only moves forward: seen < read < gone. A list that was requested
 * before a message was read or deleted makes it neither unread nor visible again. If something changed after a list was
 * requested, the list's unread count is unreliable, and messages may be missing. The caller detects this with `changes`, and
 * requests the list again.
 */
export type Change = 'read' | 'delete';
type Mark = 1 | 2 | 3;
const seen = 1;
const read = 2;
const gone = 3;

/** Maximum number of messages whose state is remembered by their number. Above it, the oldest are dropped. */
const maxMarks = 5_000;
/** Maximum number of messages in the memory of a page. Older ones are fetched when the player asks for them. */
export const maxInbox = 1_000;
/** Maximum number of waiting modals and banners. Above it, the oldest are dropped. */
const maxArrivals = 50;
/** The longest timer: 23 days. Browsers allow at most 24.8. When it fires, later expiries are checked again. */
const maxTimerMs = 2e9;

const nothing: State = {
  phase: 'idle',
  inbox: [],
  removed: [],
  hasMore: false,
  unread: 0,
  inboxOpen: false,
  openId: null,
  arrivals: [],
  problem: null,
};

export type Model = ReturnType<typeof createModel>;

/**
 * Returns the model for one visit. It is read-only once the visit has ended, so late results for a former player never
 * reach the screen. If the page changes the player during an action, the remaining steps of the action do not reach the
 * screen either.
 */
export function closedOnceEnded(ended: AbortSignal, model: Model): Model {
  return new Proxy(model, {
    // Every function is replaced by one that changes nothing.
    get: (open, name) => open[ended.aborted ? 'get' : (name as keyof Model)],
  });
}

/**
 * @param onUnread called after the displayed count has changed. It never runs during an update, because the page's
 * handler may call the model
 */
export function createModel(onUnread: (unread: number) => void) {
  const listeners = new Set<() => void>();
  const marks = new Map<number, Mark>();
  const pending = new Map<number, Change>();
  let state = nothing;
  /** The count that was passed to the last `onUnread` call. */
  let reportedUnread = 0;
  /** The server's messages, newest first, and demo messages, which exist only on this page. */
  let inbox: readonly Message[] = [];
  /** The server's number of unread messages. It counts all of them, not only those that were fetched. */
  let unreadOnServer = 0;
  /** True once the inbox was listed for this player. From then on, unknown messages in lists are new. */
  let isListed = false;
  /** The number of the newest message of the last list. Between it and the last message of `inbox`, none is missing. */
  let newestListed = 0;
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

  /** Computes a new state from the server's state, the pending changes, and `part`. */
  const show = (part: Partial<State> = {}) => {
    const shown: Message[] = [];
    state = { ...state, ...part };
    let unread = unreadOnServer;
    inbox = inbox.filter((one) => markOf(one) < gone).slice(0, maxInbox);
    for (const message of inbox) {
      const change = pending.get(message.MessageId);
      const wasRead = isRead(message);
      const isRemoved = state.removed.includes(message.MessageId);
      if (!wasRead) unread += +isDemo(message) - +(!!change || isRemoved);
      if (change !== 'delete') shown.push({ ...message, IsRead: wasRead || !!change });
    }
    const isShown = (id: number | null) => shown.some(({ MessageId }) => MessageId === id);
    const removed = state.removed.filter(isShown);
    // A message that was read or deleted, here or elsewhere, is no longer announced.
    const isOver = (one: Message) => isRead(one) || pending.has(one.MessageId) || removed.includes(one.MessageId);
    const arrivals = state.arrivals.filter((one) => !isOver(one)).slice(-maxArrivals);
    const openId = isShown(state.openId) ? state.openId : null;
    state = { ...state, inbox: shown, unread: Math.max(0, unread), removed, arrivals, openId };
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

  /** Applies a change to the server's state. */
  const take = (id: number, change: Change) => {
    const known = inbox.find(({ MessageId }) => MessageId === id);
    if (known && !isRead(known) && !isDemo(known)) unreadOnServer--;
    mark(id, change === 'read' ? read : gone);
    // A read may be confirmed after the player has deleted the message. It must not undo the deletion.
    if (change === 'delete' || pending.get(id) === change) pending.delete(id);
  };

  return {
    get: () => state,
    /** Returns a number that changes whenever a message arrives, is read or is removed. */
    changes: () => changes,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Sets the phase, what is open, and the notices on the screen. The rest follows from the messages. */
    show,
    /**
     * Removes everything when the player leaves. Demo messages are removed, too, because the page may have made them
     * for this player.
     */
    clear(phase: State['phase']) {
      marks.clear();
      pending.clear();
      unreadOnServer = 0;
      isListed = false;
      newestListed = 0;
      inbox = [];
      show({ ...nothing, phase, inboxOpen: state.inboxOpen && phase !== 'idle' });
    },
    /**
     * Sets the newest page of the inbox. Messages of the first list are not announced.
     *
     * @param unread the number of unread messages; null if the page is the whole inbox, because they are then counted
     * here
     */
    list(page: readonly Message[], unread: number | null) {
      if (!isListed) for (const { MessageId } of page) mark(MessageId, seen);
      isListed = true;
      const oldest = page.at(-1)?.MessageId ?? 0;
      // If the page does not reach the last list, messages between them are missing. Then the player loads the older pages again.
      const isJoined = unread !== null && newestListed >= oldest;
      const older = isJoined ? inbox.filter((one) => one.MessageId < oldest) : [];
      newestListed = page[0]?.MessageId ?? 0;
      inbox = [...inbox.filter(isDemo), ...page, ...older];
      unreadOnServer = unread ?? page.filter((one) => !isRead(one)).length;
      show({ hasMore: unread !== null && (!older.length || state.hasMore) });
    },
    /** Adds the page after the last message. */
    continue(page: readonly Message[], hasMore: boolean) {
      const last = inbox.at(-1)?.MessageId ?? 0;
      inbox = [...inbox, ...page.filter(({ MessageId }) => MessageId < last)];
      show({ phase: 'ready', hasMore: hasMore && inbox.length < maxInbox });
    },
    /**
     * Adds a message that was pushed, or that is in a list and not on the page yet.
     *
     * @returns whether it is new to this page
     */
    arrive(message: Message, intoInbox: boolean): boolean {
      // The message is older than the pages that are loaded. The server's count includes it, and a later page brings
      // it.
      const isOlder = intoInbox && state.hasMore && message.MessageId < (inbox.at(-1)?.MessageId ?? 0);
      if (markOf(message) || isOlder) return false;
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
    /** Marks a modal, banner or hint as closed, here or in another tab. It is no longer announced, but stays unread. */
    close(id: number) {
      mark(id, seen);
      show({ arrivals: state.arrivals.filter(({ MessageId }) => MessageId !== id) });
    },
    /**
     * @returns whether the server must be called. It is false for a demo message, and for a change that was already
     * made or requested.
     */
    begin(id: number, change: Change): boolean {
      const known = find(id);
      const before = pending.get(id);
      if (!known || before === change || before === 'delete' || (change === 'read' && isRead(known))) return false;
      if (isDemo(known)) take(id, change);
      else pending.set(id, change);
      show({ problem: null });
      return !isDemo(known);
    },
    /**
     * Applies a change that was confirmed or made elsewhere. @param unread the server's count after it, if it sent one
     */
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
