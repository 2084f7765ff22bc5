/** Public exports of the replies; see README.md. */
export { ReportPublisher } from './report-publisher.ts';
export { ReportUpkeep } from './report-upkeep.ts';
export { replyRoutes } from './routes.ts';
