import type { Settings } from '../config/settings.ts';

/**
 * Words that the interface has no key for: names of buttons, and states. Each can be set like the interface's own, as
 * `window.crm.translations.<key>`.
 */
const added: Record<string, string> = {
  inboxTitle: 'Inbox',
  unread: 'unread',
  close: 'Close',
  back: 'Back',
  delete: 'Delete',
  cancel: 'Cancel',
  loadMore: 'Show older messages',
  loading: 'Loading',
  offline: 'You are offline',
  read_failed: 'The message could not be marked as read',
  delete_failed: 'The message could not be deleted',
  load_failed: 'The messages could not be loaded',
};

export type Text = (key: string) => string;

/** A key that nobody knows is its own text. */
export function textsOf({ texts }: Settings): Text {
  return (key) => texts[key] ?? added[key] ?? key;
}
