import type { Call } from './http.ts';
import type { Change, Model } from './model.ts';
import type { Message } from './store.ts';

/*
 * Asks the notification API (docs/reference/interface.md, Endpoints C) and puts the answers into the model: at the beginning, whenever a socket
 * subscribes (what came before it was not told), and with every poll. A message is announced once, whoever brings it first.
 */
export const pageSize = 30;
/** A list that was overtaken by a change is asked for anew, so often at most: where messages rain down, the next one mends it. */
const maxAsks = 3;
const list = 'Notifications/v2/user-notification';

export interface Lists {
  /** Everything; to be called one at a time. @throws {SiteError} */
  all(): Promise<void>;
  /** However many ask, one page. @throws {SiteError} */
  older(): Promise<unknown>;
  arrived(message: Message): void;
  change(id: number, change: Change): Promise<unknown>;
  /** @returns How many messages of the inbox are unread now. @throws {SiteError} */
  readAll(newestId: number): Promise<number>;
}

/**
 * @param withInbox False: only modals and banners are asked for.
 * @param onNew A message that is new to this page; not the inbox as it was found at the beginning.
 */
export function createLists(call: Call, model: Model, withInbox: boolean, onNew: (message: Message) => void): Lists {
  const pageOf = (before = '') => call<Message[]>('GET', `${list}s?inbox-only=true&limit=${pageSize}${before}`);
  const arrived = (message: Message) => {
    if (model.arrive(message, withInbox && message.Event === 'inbox')) onNew(message);
  };

  let paging: Promise<unknown> | undefined;

  return {
    arrived,
    async all() {
      for (let asks = 1; ; asks++) {
        const asOf = model.changes();
        const [others, page] = await Promise.all([
          call<Message[]>('GET', `${list}s?unread-only=true&without-inbox=true&without-closed=true`),
          withInbox ? pageOf() : [],
        ]);
        // A short inbox counts itself; only a longer one is worth a call.
        const count =
          page.length < pageSize ? null : await call<number>('GET', 'Notifications/v2/unread-count?inbox-only=true');
        if (asOf !== model.changes() && asks < maxAsks) continue;
        if (withInbox) model.list(page, count);
        // Oldest first: in the order in which they were sent.
        return [...others, ...page].reverse().forEach(arrived);
      }
    },
    older() {
      paging ??= pageOf(`&before=${model.get().inbox.at(-1)?.MessageId}`)
        .then((page) => model.continue(page, page.length === pageSize))
        .finally(() => {
          paging = undefined;
        });
      return paging;
    },
    change: (id, change) =>
      change === 'delete'
        ? call('DELETE', `${list}/${id}`)
        : call('POST', 'Notifications/MarkNotificationAsRead', { body: { MessageId: id } }),
    readAll: (newestId) => call('POST', 'Notifications/MarkAllNotificationsAsRead', { body: { UpTo: newestId } }),
  };
}
