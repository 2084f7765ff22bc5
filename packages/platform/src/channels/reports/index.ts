/** Public exports of reports, a part of the channels: stored reports about messages. */

export {
  countReports,
  countSoftBounces,
  endWaitingReports,
  forgetReports,
  forgetTallies,
  isReportKnown,
  isReportWaiting,
  listReportTallies,
  lockWaitingReports,
  noteStored,
  type ReportOutcome,
  type ReportTally,
  rememberReport,
  reportOutcomes,
  type WaitingReport,
} from './store.ts';
export { type OwnReport, storeReport } from './store-report.ts';
