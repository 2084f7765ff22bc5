import type { MessageActivityRequest } from '@croupier/contracts/site';
import { type Call, isPassing, type SiteError } from './http.ts';

/*
 * Tells the platform what happened to messages on the screen: shown, clicked, closed.
 *
 * The page never waits for it. Shown messages are gathered for a second; what the player did goes at once, in calls that may outlive the
 * page, because the next thing is often another page. The platform counts the first time of each, so telling it twice changes
 * nothing. What fails in passing is sent with the next call.
 */
type Item = MessageActivityRequest['Items'][number];

/** How long shown messages are gathered. */
const gatherMs = 1_000;
/** Items of one call, which is also what the platform takes at most. */
const maxItems = 100;
/** Items that wait while the platform cannot be reached; of more, the oldest are dropped. */
const maxWaiting = 1_000;

export type TellActivity = (id: number, activity: Item['Activity']) => void;

export function createActivityReporter(call: Call, ended: AbortSignal): TellActivity {
  const told = new Set<string>();
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
    if (told.has(item)) return;
    told.add(item);
    waiting.push({ MessageId, Activity });
    if (Activity === 'shown') timer ??= setTimeout(send, gatherMs);
    else send();
  };
}
