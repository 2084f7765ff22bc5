/** Front door of the site stage; see README.md. */
export type { SiteDeps } from './api/deps.ts';
export { sitePath, siteRoutes } from './api/routes.ts';
export { TrackedUpkeep } from './player/tracked-upkeep.ts';
export type { Admission, Caller, SessionRefusal } from './session/caller.ts';
export { endExcluded } from './session/end-excluded.ts';
export { LogoutConsumer } from './session/logout-consumer.ts';
export { SessionUpkeep } from './session/session-upkeep.ts';
export { type SessionOptions, Sessions } from './session/sessions.ts';
