/*
 * Members of the app's own objects that are shortened when it is built: long names cost 2 % of what a page loads. A name stands here only
 * if it is never looked up by text, is no member of a browser's object, and never leaves the app: not to the page, the
 * loader, the server or the document. The tests that run the built script in a browser find one that should not be here.
 */
const names = [
  // the store and the model
  'inboxOpen openId arrivals problem hasMore phase inbox closeInbox backToList dismissProblem dismiss actions',
  'takeBack arrive begin state failed model store refresh apply changes continue show',
  // a player's visit
  'who signedIn stalled signIn session server isOver findRoot withInbox lists older arrived change tell call credential answer failure waitMs',
  'ended authorise onUp onDown onOffline onEvent',
  // what the page configured, once it is read
  'settings enable badgeId navBarLogo contactEmail termsAboveButtons closeModalOnFogClick texts pushWorkerUrl',
  // the screen
  'view isPaging page text ask asked words trust shoutout modal detail address labelledby fog onPress onDone',
  'onFollow onClose child inside node tag name drawn gone above kept',
];

/** Of the loader's own: what it keeps of a call and of a handler. */
export const loaderNames = /^(given|resolve|handler)$/;

export const innerNames = new RegExp(`^(${names.join(' ').replaceAll(' ', '|')})$`);
