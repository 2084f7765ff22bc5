import { added, announced, continued, type Held, isSeen, listed } from './held.ts';
import type { Holder } from './holder.ts';
import { type InboxCalls, pageSize } from './inbox-calls.ts';
import type { Message } from './store.ts';

/*
 * Brings the page up to date by lists: at the beginning, whenever a socket subscribes (what came before it was not told), and
 * with every poll. A message is announced once, whether a list or the socket brings it first.
 */
export interface RefreshOptions {
  calls: InboxCalls;
  holder: Holder;
  /** False: only modals and banners are asked for. */
  withInbox: boolean;
  /** A message that is new to this page; not the inbox as it was found at the beginning. */
  onNew(message: Message): void;
}

export interface Refresh {
  /** To be called one at a time. @throws {SiteError} */
  all(): Promise<void>;
  older(): Promise<void>;
  /** By the socket. */
  arrived(message: Message): void;
}

export function createRefresh({ calls, holder, withInbox, onNew }: RefreshOptions): Refresh {
  let isFirst = true;

  const announce = (message: Message) => {
    if (isSeen(holder.get(), message.MessageId)) return;
    holder.change((held) => announced(held, message));
    onNew(message);
  };

  const all = async () => {
    const [unread, page] = await Promise.all([calls.unread(), withInbox ? calls.page() : []]);
    // A short inbox counts itself; only a longer one is worth a call.
    const count = page.length < pageSize ? null : await calls.count();
    const known = isFirst ? page : [];
    isFirst = false;
    holder.change((held) => {
      const seen: Held = { ...held, seen: [...new Set([...known.map(({ MessageId }) => MessageId), ...held.seen])] };
      return withInbox ? listed(seen, page, count) : seen;
    });
    // Oldest first: in the order in which they were sent.
    const others = unread.filter(({ Event }) => Event !== 'inbox');
    for (const message of [...others, ...page].reverse()) announce(message);
  };

  return {
    all,
    async older() {
      const last = holder.get().inbox.at(-1);
      if (last === undefined) return;
      const page = await calls.page(last.MessageId);
      holder.change((held) => continued(held, page, page.length === pageSize));
    },
    arrived(message) {
      if (message.Event === 'inbox' && !withInbox) return onNew(message);
      if (message.Event === 'inbox') holder.change((held) => added(held, message));
      announce(message);
    },
  };
}
