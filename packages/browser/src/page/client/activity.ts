import type { MessageActivityRequest } from '@croupier/contracts/site';
import { type Call, isPassing, type SiteError } from './http.ts';

/*
 * Reports to the platform what happened to messages on the screen: shown, clicked, closed.
 *
 * The page never waits for a report. Messages that are shown within a second are reported in one call. The player's
 * actions are sent immediately, in calls that can outlive the page, because the player often opens another page next.
 * Reports that fail temporarily are sent with the next call. The platform counts only the first report of each kind
 * about a message, so repeats have no effect.
 */
type Item = MessageActivityRequest['Items'][number];

/** How long shown messages are collected before they are reported, in milliseconds. */
const gatherMs = 1_000;
/** Maximum number of items per call that the platform accepts. */
const maxItems = 100;
/** Maximum number of items that wait while the platform cannot be reached. Above it, the oldest are dropped. */
const maxWaiting = 1_000;

export type ReportActivity = (id: number, activity: Item['Activity']) => void;

export function createActivityReporter(call: Call, ended: AbortSignal): ReportActivity {
  const reported = new Set<string>();
  let waiting: Item[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length && !ended.aborted) {
      const Items = waiting.splice(0, maxItems);
      call('POST', 'Crm/MessageActivity', { body: { Items }, keepalive: true }).catch((error) => {
        if (isPassing(error as SiteError)) waiting = [...Items, ...waiting].slice(-maxWaiting);
      });
    }
  };
  addEventListener('pagehide', send, { signal: ended });

  return (MessageId, Activity) => {
    const item = `${MessageId} ${Activity}`;
    if (reported.has(item)) return;
    reported.add(item);
    waiting.push({ MessageId, Activity });
    if (Activity === 'shown') timer ??= setTimeout(send, gatherMs);
    else send();
  };
}
