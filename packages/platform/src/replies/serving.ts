/** Public exports of the replies that an api process serves over HTTP; see README.md. */
export { replyRoutes } from './routes.ts';
