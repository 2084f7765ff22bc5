/** `window.crm.translations`: all texts of the widget. A page can replace each of them. */
export interface Texts {
  recieved: string;
  validUntil: string;
  questionsTop: string;
  questionsShort: string;
  deleteMessagePrompt: string;
  inboxEmpty: string;
  readMore: string;
  /** Our additions, or a page's own. */
  [added: string]: string;
}

export const defaultTexts: Texts = {
  // From the interface, with its spelling.
  recieved: 'Recieved:',
  validUntil: 'Valid until:',
  questionsTop: 'Questions? Mail us at',
  questionsShort: 'Questions:',
  deleteMessagePrompt: 'Are you sure you want to delete this message?',
  inboxEmpty: 'There is currently no messages in your inbox',
  readMore: 'Read more',
  // Our additions for what has no key in the interface: names of buttons and states, for display and screen readers.
  inboxTitle: 'Inbox',
  unread: 'unread',
  close: 'Close',
  back: 'Back',
  markAllRead: 'Mark all as read',
  inboxEmptyHint: 'New messages and offers appear here.',
  delete: 'Delete',
  cancel: 'Cancel',
  loadMore: 'Show older messages',
  loading: 'Loading',
  // Caused by the network or the platform; a page cannot distinguish them.
  offline: 'Not up to date',
  read_failed: 'The message could not be marked as read',
  delete_failed: 'The message could not be deleted',
  load_failed: 'The messages could not be loaded',
};
