/** Public exports of the replies that need no HTTP server; see README.md. `serving.ts` has the routes. */
export { ReportPublisher } from './report-publisher.ts';
export { ReportUpkeep } from './report-upkeep.ts';
