/** Front door of the hosted pages; see README.md. */
export { listUnsubscribeHeaders } from './links/list-unsubscribe.ts';
export { type LinkForm, type LinkHolder, linkForms, UnsubscribeLinks } from './links/unsubscribe-links.ts';
