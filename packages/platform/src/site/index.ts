/** Public exports of the site stage; see README.md. */
export type { SiteDeps } from './api/deps.ts';
export { siteOpenApi } from './api/document.ts';
export { sitePath, siteRoutes } from './api/routes.ts';
export { ChannelSigner } from './live/channel-signer.ts';
export type { SocketLimits } from './live/limits.ts';
export { LiveSite, type LiveSiteOptions } from './live/live-site.ts';
export { messageSource } from './live/message-source.ts';
export { TrackedUpkeep } from './player/tracked-upkeep.ts';
export { scriptRoutes } from './script/routes.ts';
export type { Admission, Caller, SessionRefusal } from './session/caller.ts';
export { endExcluded } from './session/end-excluded.ts';
export { LogoutConsumer } from './session/logout-consumer.ts';
export { SessionUpkeep } from './session/session-upkeep.ts';
export { type SessionOptions, Sessions } from './session/sessions.ts';
