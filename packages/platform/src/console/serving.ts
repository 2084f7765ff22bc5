/** Public exports of the console that an api process serves over HTTP; see README.md. */
export { Provider as SingleSignOnProvider } from './accounts/single-sign-on/provider.ts';
export { consoleRoutes } from './api.ts';
export type { ConsoleDeps } from './deps.ts';
export { consoleOpenApi } from './openapi.ts';
export { consolePage, consolePath } from './page/page-routes.ts';
export { basePath as consoleApiPath } from './routing/endpoint.ts';
