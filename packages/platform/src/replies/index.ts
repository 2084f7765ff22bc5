/** Front door of the replies; see README.md. */
export { replyRoutes } from './routes.ts';
