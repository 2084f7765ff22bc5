/** Public exports of the hosted pages that need no HTTP server; see README.md. `serving.ts` has the others. */
export { listUnsubscribeHeaders } from './links/list-unsubscribe.ts';
export { type LinkForm, type LinkHolder, linkForms, UnsubscribeLinks } from './links/unsubscribe-links.ts';
