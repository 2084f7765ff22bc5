/*
 * Members of the app's own objects that are shortened when it is built: long names cost 2 % of what a page loads. A name stands here only
 * if it is nowhere written as text, is no member of a browser's object, and never leaves the app: not to the page, the
 * loader, the server or the document. The tests that run the built script in a browser find one that should not be here.
 */
const names = [
  ...['inboxOpen', 'openId', 'arrivals', 'problem', 'hasMore', 'phase', 'inbox'],
  ...['closeInbox', 'backToList', 'dismissProblem', 'dismiss', 'actions'],
  ...['markSeen', 'takeBack', 'arrive', 'begin', 'lists', 'tell', 'older', 'arrived', 'failure', 'waitMs', 'workerUrl'],
  ...[
    'signedIn',
    'signIn',
    'clockOffset',
    'isOver',
    'withInbox',
    'server',
    'session',
    'findRoot',
    'credential',
    'bare',
  ],
  ...['authorise', 'onUp', 'onDown', 'onOffline', 'onEvent', 'ended'],
  ...['view', 'onPress', 'onDone', 'onFollow', 'shoutout', 'asked', 'trust'],
];

export const innerNames = new RegExp(`^(${names.join('|')})$`);
