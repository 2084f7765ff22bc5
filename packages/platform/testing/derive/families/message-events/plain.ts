import { messageReports } from '@croupier/contracts';

/** A report as a test publishes it. */
export interface PlainReport {
  user_id: string;
  timestamp: string;
  event_id: string;
  what: string;
  channel: string;
  provider: string;
  message_id?: string;
  campaign_id?: string;
}

/** The first time of each outcome by player and message, computed from all reports at once. Times in milliseconds. */
export function plainOutcomes(reports: readonly PlainReport[]): Map<string, Record<string, number | null>> {
  const groups = Map.groupBy(
    reports.filter(({ message_id }) => message_id !== undefined),
    ({ user_id, message_id }) => `${user_id} ${message_id}`,
  );
  return new Map(
    [...groups].map(([key, own]) => [
      key,
      Object.fromEntries(
        messageReports.map((what) => {
          const times = own.filter((one) => one.what === what).map(({ timestamp }) => Date.parse(timestamp));
          return [what, times.length === 0 ? null : Math.min(...times)];
        }),
      ),
    ]),
  );
}
