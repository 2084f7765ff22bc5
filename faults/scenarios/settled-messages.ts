import { judgeMessages, type MessageEvidence } from '../checker/messages.ts';
import type { Console } from '../installation/console.ts';
import { until } from '../installation/until.ts';
import { writeMessage } from '../load/messages.ts';
import type { Site } from '../load/site.ts';
import type { Visitor } from '../load/visits.ts';
import type { Outcome } from '../outcome.ts';
import type { Run } from '../scenario.ts';

export interface Unsettled extends Pick<MessageEvidence, 'written' | 'pages' | 'read' | 'gone'> {
  site: Site;
  console: Console;
  visitors: readonly Visitor[];
}

/** Longer than any limit that is judged: a page that is late is told with its time. */
const settleLimitMs = 60_000;

/** Nothing is killed any more: writes a last message to each open page, and waits until all is as promised, or too late. */
export async function settleMessages(
  { site, console, visitors, ...known }: Unsettled,
  { allowance, signal, say }: Run,
): Promise<Outcome[]> {
  const last = await Promise.all(
    visitors.map(({ user_id }) => writeMessage(console, user_id, { title: 'After the last kill' })),
  );
  const inboxes = new Map(await Promise.all(visitors.map((visitor) => inboxOf(site, visitor))));
  const evidence = { ...known, last, inboxes, allowance };
  const settled = () => judgeMessages(evidence).every(({ kept }) => kept);
  await until('the pages to know everything', settled, {
    ...{ limitMs: settleLimitMs * allowance, everyMs: 100, signal },
  }).catch((error: Error) => say(error.message));
  return judgeMessages(evidence);
}

async function inboxOf(site: Site, { user_id, sid }: Visitor): Promise<[string, Set<number>]> {
  const list = await site.insist<{ MessageId: number }[]>(sid, 'GET', 'Notifications/v2/user-notifications');
  return [user_id, new Set(list.map(({ MessageId }) => MessageId))];
}
