/** Front door of the reports within the channels: what is remembered of what came back about messages. */

export {
  countReports,
  countSoftBounces,
  endWaitingReports,
  forgetReports,
  forgetTallies,
  listReportTallies,
  lockWaitingReports,
  noteStored,
  type ReportOutcome,
  type ReportTally,
  rememberReport,
  reportOutcomes,
  type WaitingReport,
} from './store.ts';
export { type OwnReport, tellReport } from './tell.ts';
