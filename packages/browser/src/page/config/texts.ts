/** `window.crm.translations`: all texts of the widget. A page can replace each of them. */
export interface Texts {
  recieved: string;
  validUntil: string;
  questionsTop: string;
  questionsShort: string;
  deleteMessagePrompt: string;
  inboxEmpty: string;
  readMore: string;
  /** Keys that we added, or keys of the page. */
  [added: string]: string;
}

export const defaultTexts: Texts = {
  // These keys and their spelling come from the interface.
  recieved: 'Recieved:',
  validUntil: 'Valid until:',
  questionsTop: 'Questions? Mail us at',
  questionsShort: 'Questions:',
  deleteMessagePrompt: 'Are you sure you want to delete this message?',
  inboxEmpty: 'There is currently no messages in your inbox',
  readMore: 'Read more',
  // We added these keys for texts that have no key in the interface: names of buttons and states, for display and
  // screen readers.
  inboxTitle: 'Inbox',
  unread: 'unread',
  unreadOnly: 'Unread only',
  unreadEmpty: 'No unread messages',
  close: 'Close',
  back: 'Back',
  previous: 'Previous message',
  next: 'Next message',
  today: 'Today',
  yesterday: 'Yesterday',
  earlier: 'Earlier',
  markAllRead: 'Mark all as read',
  inboxEmptyHint: 'New messages and offers appear here.',
  delete: 'Delete',
  deleted: 'Deleted:',
  undo: 'Undo',
  cancel: 'Cancel',
  loadMore: 'Show older messages',
  loading: 'Loading',
  // The network or the platform can be the cause. A page cannot distinguish them.
  offline: 'Not up to date',
  read_failed: 'The message could not be marked as read',
  delete_failed: 'The message could not be deleted',
  load_failed: 'The messages could not be loaded',
};
