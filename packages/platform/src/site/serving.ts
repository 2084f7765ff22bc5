/** Public exports of the site stage that an api process serves over HTTP; see README.md. */
export type { SiteDeps } from './api/deps.ts';
export { siteOpenApi } from './api/document.ts';
export { sitePath, siteRoutes } from './api/routes.ts';
export { ChannelSigner } from './live/channel-signer.ts';
export type { SocketLimits } from './live/limits.ts';
export { LiveSite, type LiveSiteOptions } from './live/live-site.ts';
export { messageSource } from './live/message-source.ts';
export { scriptRoutes } from './script/routes.ts';
export type { Admission, Caller, SessionRefusal } from './session/caller.ts';
export { type SessionOptions, Sessions } from './session/sessions.ts';
