import type { Call } from './http.ts';
import type { Change, Model } from './model.ts';
import type { Message } from './store.ts';

/*
 * Calls the notification API (docs/reference/interface.md, Endpoints C) and puts the answers into the model. It does
 * this at the start, with every poll, and whenever a socket subscribes, because earlier messages were not announced. A
 * message is announced once, whether the socket or a list delivers it first.
 */
export const pageSize = 30;
/**
 * Maximum number of requests for one list. If a message changed while a request was in progress, the list is requested again. After the
 * last request, the answer is used as it is, and the next list corrects it.
 */
const maxRequests = 3;
const list = 'Notifications/v2/user-notification';

export interface Lists {
  /** Loads everything. Make one call at a time. @throws {SiteError} */
  all(): Promise<void>;
  /** Loads one more page. Simultaneous callers share one request. @throws {SiteError} */
  older(): Promise<unknown>;
  arrived(message: Message): void;
  change(id: number, change: Change): Promise<unknown>;
  /** @returns the number of inbox messages that are now unread @throws {SiteError} */
  readAll(newestId: number): Promise<number>;
}

/**
 * @param withInbox if false, only modals and banners are requested
 * @param onNew called for a message that is new to this page, but not for the messages of the initial inbox
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
      for (let requests = 1; ; requests++) {
        const asOf = model.changes();
        const [others, page] = await Promise.all([
          call<Message[]>('GET', `${list}s?unread-only=true&without-inbox=true&without-closed=true`),
          withInbox ? pageOf() : [],
        ]);
        // The unread messages of a short inbox are counted here. Only a longer one needs a call.
        const count =
          page.length < pageSize ? null : await call<number>('GET', 'Notifications/v2/unread-count?inbox-only=true');
        if (asOf !== model.changes() && requests < maxRequests) continue;
        if (withInbox) model.list(page, count);
        // The oldest comes first, so messages arrive in the order in which they were sent.
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
        ? // The player may be leaving the page.
          call('DELETE', `${list}/${id}`, { keepalive: true })
        : call('POST', 'Notifications/MarkNotificationAsRead', { body: { MessageId: id } }),
    readAll: (newestId) => call('POST', 'Notifications/MarkAllNotificationsAsRead', { body: { UpTo: newestId } }),
  };
}
