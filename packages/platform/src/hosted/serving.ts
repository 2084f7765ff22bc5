/** Public exports of the hosted pages that an api process serves over HTTP; see README.md. */
export { Receipts } from './links/receipts.ts';
export { hostedPaths } from './links/unsubscribe-links.ts';
export { type TrackedDeps, trackedPaths, trackedRoutes } from './tracked/routes.ts';
export type { HostedDeps } from './unsubscribe/deps.ts';
export { hostedRoutes } from './unsubscribe/routes.ts';
