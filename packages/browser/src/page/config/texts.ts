/** `window.crm.translations`: every text of the screen, each of which a page can set. */
export interface Texts {
  recieved: string;
  validUntil: string;
  questionsTop: string;
  questionsShort: string;
  deleteMessagePrompt: string;
  inboxEmpty: string;
  readMore: string;
  /** Ours, or a page's own. */
  [added: string]: string;
}

export const defaultTexts: Texts = {
  // Of the interface, spelt as there.
  recieved: 'Recieved:',
  validUntil: 'Valid until:',
  questionsTop: 'Questions? Mail us at',
  questionsShort: 'Questions:',
  deleteMessagePrompt: 'Are you sure you want to delete this message?',
  inboxEmpty: 'There is currently no messages in your inbox',
  readMore: 'Read more',
  // Ours, for what the interface has no key for: names of buttons and states, for screen readers and eyes.
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
  // Of the network or of the platform: a page cannot tell which.
  offline: 'Not up to date',
  read_failed: 'The message could not be marked as read',
  delete_failed: 'The message could not be deleted',
  load_failed: 'The messages could not be loaded',
};
