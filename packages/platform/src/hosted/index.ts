/** Public exports of the hosted pages; see README.md. */
export { listUnsubscribeHeaders } from './links/list-unsubscribe.ts';
export { Receipts } from './links/receipts.ts';
export { hostedPaths, type LinkForm, type LinkHolder, linkForms, UnsubscribeLinks } from './links/unsubscribe-links.ts';
export { type TrackedDeps, trackedPaths, trackedRoutes } from './tracked/routes.ts';
export type { HostedDeps } from './unsubscribe/deps.ts';
export { hostedRoutes } from './unsubscribe/routes.ts';
