import { judgeMessages, type MessageEvidence } from '../checker/messages.ts';
import type { Console } from '../installation/console.ts';
import { until } from '../installation/until.ts';
import { type Written, writeMessage } from '../load/messages.ts';
import type { Site } from '../load/site.ts';
import type { Visitor } from '../load/visits.ts';
import type { Outcome } from '../outcome.ts';
import type { Run } from '../scenario.ts';

export interface Unsettled extends Pick<MessageEvidence, 'written' | 'pages' | 'read' | 'gone'> {
  site: Site;
  console: Console;
  visitors: readonly Visitor[];
}

/** This limit is longer than all checked limits, so that the report contains the time of a late page. */
const settleLimitMs = 60_000;

/**
 * Runs after the last kill. Writes a last message to the player of each open page; this message may arrive in any way. Then writes one
 * more message for each page that has a socket again; this one must arrive on that socket. Waits until every promise holds, or until
 * it is too late.
 */
export async function settleMessages(
  { site, console, visitors, ...known }: Unsettled,
  { allowance, signal, say }: Run,
): Promise<Outcome[]> {
  const settled = (evidence: MessageEvidence) =>
    until('all checks of messages to pass', () => judgeMessages(evidence).every(({ kept }) => kept), {
      limitMs: settleLimitMs * allowance,
      everyMs: 100,
      signal,
    }).catch((error: Error) => say(error.message));

  const last = await writeToAll(console, visitors, 'After the last kill');
  const evidence = { ...known, last, inboxes: await inboxesOf(site, visitors), allowance };
  await settled(evidence);
  const up = known.pages.filter(({ connections }) => connections.at(-1)?.downAt === undefined);
  const users = new Set(up.map(({ user_id }) => user_id));
  const connected = visitors.filter(({ user_id }) => users.has(user_id));
  const written = [...known.written, ...(await writeToAll(console, connected, 'To an open socket'))];
  const whole = { ...evidence, written, inboxes: await inboxesOf(site, visitors) };
  await settled(whole);
  return judgeMessages(whole);
}

function writeToAll(console: Console, to: readonly Visitor[], title: string): Promise<Written[]> {
  return Promise.all(to.map(({ user_id }) => writeMessage(console, user_id, { title })));
}

/** MessageIds that the site lists, by user_id. */
async function inboxesOf(site: Site, visitors: readonly Visitor[]): Promise<Map<string, Set<number>>> {
  return new Map(await Promise.all(visitors.map((visitor) => inboxOf(site, visitor))));
}

async function inboxOf(site: Site, { user_id, sid }: Visitor): Promise<[string, Set<number>]> {
  const list = await site.insist<{ MessageId: number }[]>(sid, 'GET', 'Notifications/v2/user-notifications');
  return [user_id, new Set(list.map(({ MessageId }) => MessageId))];
}
