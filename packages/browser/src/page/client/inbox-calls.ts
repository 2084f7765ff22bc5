import type { Call } from './http.ts';
import type { Message } from './store.ts';

/** What the script asks of the notification API (interface.md section C). */
export interface InboxCalls {
  /** Inbox messages, newest first, at most `pageSize`. @param before Only those older than this MessageId. */
  page(before?: number): Promise<Message[]>;
  /** Unread ones of every kind, newest first. */
  unread(): Promise<Message[]>;
  /** Unread ones of the inbox; counted to 999. */
  count(): Promise<number>;
  change(id: number, change: 'read' | 'delete'): Promise<unknown>;
}

export const pageSize = 30;
const list = 'Notifications/v2/user-notification';

export function createInboxCalls(call: Call): InboxCalls {
  return {
    page: (before) =>
      call('GET', `${list}s?inbox-only=true&limit=${pageSize}${before === undefined ? '' : `&before=${before}`}`),
    unread: () => call('GET', `${list}s?unread-only=true`),
    count: () => call('GET', 'Notifications/v2/unread-count?inbox-only=true'),
    change: (id, change) =>
      change === 'delete'
        ? call('DELETE', `${list}/${id}`)
        : call('POST', 'Notifications/MarkNotificationAsRead', { body: { MessageId: id } }),
  };
}
