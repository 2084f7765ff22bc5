/** Front door of the replies; see README.md. */
export { listReportTallies, type ReportTally, reportOutcomes } from './report-store.ts';
export { ReportUpkeep } from './report-upkeep.ts';
export { replyRoutes } from './routes.ts';
