import { setTimeout as delay } from 'node:timers/promises';
import { type SandboxOperator, startSandboxOperator } from '@croupier/sandbox';
import { seededRandom } from '../../packages/sandbox/src/random.ts';
import { openReadOnly } from '../checker/check.ts';
import { readProgress } from '../checker/evidence.ts';
import { judgeClaims, judgeReads, judgeTracked } from '../checker/site.ts';
import { type Console, consoleOf } from '../installation/console.ts';
import type { Installation } from '../installation/installation.ts';
import { send } from '../installation/processes.ts';
import { until } from '../installation/until.ts';
import { eventOf } from '../load/event.ts';
import { type Written, writeMessage, writeMessages } from '../load/messages.ts';
import { openPages } from '../load/open-pages.ts';
import { type Site, siteOf } from '../load/site.ts';
import { startTraffic } from '../load/traffic.ts';
import { type Visitor, visit } from '../load/visits.ts';
import type { Outcome } from '../outcome.ts';
import type { Run, Scenario } from '../scenario.ts';
import { settleMessages } from './settled-messages.ts';
import { allLookedUp } from './stage.ts';

/** Number of players in a full-length run. The short form has as many as its seconds allow. */
const players = 200;
const playersPerSecond = 20;
const operatorKey = 'key-of-the-operator';
/**
 * The gap between two kills. One of the two api processes should be restarting nearly all the time, but seldom both. After a few
 * crashes a restart takes 6 s, so the gaps grow to that length during the run. When all gaps were 1.5 s, no process answered for a
 * minute.
 */
const killGapMs = (seconds: number) => Math.min(6_000, seconds * 500);
const settleLimitMs = 60_000;

/**
 * Players on their pages while the api processes that answer them and hold their sockets are killed. Pages repeat calls without
 * an answer, and reconnect. What was acknowledged to them must be done, once, and messages that were written for them must
 * reach them.
 */
export const site: Scenario = {
  name: 'site',
  story: `two api processes are killed (SIGKILL) while up to ${players} players with open sockets track events, claim rewards and read the messages that are written for them`,
  short: {
    seconds: 3,
    least: {
      killed_api: 1,
      tracked: 50,
      credits: 60,
      read: 120,
      owed: 200,
      recalled: 5,
      reconnects: 10,
      arrived: 40,
      due: 40,
      reached: 60,
    },
  },
  async run(run) {
    const operator = await startSandboxOperator({ auth: { type: 'api_key', value: operatorKey } });
    await using _ = { [Symbol.asyncDispose]: () => operator.stop() };
    const access = { url: operator.url, key: operatorKey };
    await using installation = await run.start({ operator: access, processes: { api: 2 } });
    // Awaited here because its resources end with this block.
    return await play(run, { operator, installation });
  },
};

async function play(
  run: Run,
  { operator, installation }: { operator: SandboxOperator; installation: Installation },
): Promise<Outcome[]> {
  const console = consoleOf(installation);
  const site = siteOf(installation);
  const visitors = await introduce(run, { operator, installation, console });
  const welcomes = await welcome(console, visitors);
  using open = await openPages({ installation, site }, visitors);
  const killing = killApis(run, installation, AbortSignal.timeout(run.seconds * 1_000));
  const users = visitors.map(({ user_id }) => user_id);
  const writing = writeMessages(console, users, run);
  const [acknowledged, killed_api, messages] = await Promise.all([visit(site, visitors, run), killing, writing]);
  const written = [...welcomes, ...messages];
  run.say(`${acknowledged.tracked.size} events, ${acknowledged.claimed.size} claims, ${acknowledged.read.size} reads`);

  const { gone } = acknowledged;
  const read = new Set(acknowledged.read.keys());
  const messagesJudged = await settleMessages({ site, console, visitors, written, read, gone, pages: open.pages }, run);
  const { credits } = operator.books;
  await settled(console, run);
  const derived = await derivedMarks(installation, run);
  const readOnPages = await readMessages(site, visitors);
  const recalled = new Set(written.flatMap((one) => (one.recalled ? [one.message_id] : [])));
  const evidence = { visitors, acknowledged, credits, derived, shownAsRead: readOnPages, recalled };
  const tracked = judgeTracked(evidence);
  const counts = { ...tracked.counts, killed_api, failed_attempts: site.failed };
  return [{ ...tracked, counts }, judgeClaims(evidence), judgeReads(evidence), ...messagesJudged];
}

/** Players who are known and signed in, each with a reward to claim. */
async function introduce(
  { seed, seconds, signal }: Run,
  { operator, installation, console }: { operator: SandboxOperator; installation: Installation; console: Console },
): Promise<Visitor[]> {
  const { books } = operator;
  await using traffic = startTraffic({
    url: installation.url,
    key: installation.key,
    signal,
    simulation: { seed, players: 1, books, brand: { brand_id: 1 } },
  });
  const users = Array.from({ length: Math.min(players, seconds * playersPerSecond) }, (_, n) => `visitor-${n}`);
  for (const user of users) {
    books.addPlayer(user, { blocks: [], consents: [] });
    books.signIn(user, `sid-of-${user}`);
  }
  await Promise.all(users.map((user_id) => traffic.publish(eventOf('registration', { user_id }))));
  await allLookedUp(installation, { lookUps: users.length * 3, signal });
  return Promise.all(
    users.map(async (user_id) => {
      const offer = { bonus_code: 'WELCOME100', offer: true };
      const { intent_id } = await console.post<{ intent_id: string }>(`players/${user_id}/bonus-credits`, offer);
      return { user_id, sid: `sid-of-${user_id}`, intent_id };
    }),
  );
}

/** Two messages for each, so that there is something to read from the start. */
async function welcome(console: Console, visitors: readonly Visitor[]): Promise<Written[]> {
  const written = visitors.map(async ({ user_id }) => [
    await writeMessage(console, user_id, { title: 'Welcome' }),
    await writeMessage(console, user_id, { title: 'Your reward is waiting' }),
  ]);
  return (await Promise.all(written)).flat();
}

/**
 * Kills either api process at random times until the signal; returns how many. It spares one that is starting, because that has
 * neither calls nor sockets. On a machine where a start takes longer than a gap, no process would ever be running.
 */
async function killApis({ seed, seconds, say }: Run, installation: Installation, over: AbortSignal): Promise<number> {
  const random = seededRandom(`site/${seed}`);
  for (let killed = 0; ; ) {
    await delay((0.5 + random.next()) * killGapMs(seconds), undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return killed;
    const started = startedIn(installation.log());
    const pids = (await installation.pids('api')).filter((pid) => started.has(pid));
    const pid = pids[random.whole(0, Math.max(0, pids.length - 1))];
    if (pid === undefined || !send(pid, 'SIGKILL')) continue;
    say(`killed api ${pid}`);
    killed += 1;
  }
}

/** The processes that reported ready. */
function startedIn(log: string): Set<number> {
  const lines = log.split('\n').filter((line) => line.includes('"msg":"ready"'));
  return new Set(lines.map((line) => (JSON.parse(line) as { pid: number }).pid));
}

/** Waits until no intent is open. */
async function settled(console: Console, { signal }: Run): Promise<void> {
  const moving = async () => {
    for (const state of ['pending', 'retry', 'unknown']) {
      const page = await console.get<{ items: unknown[] }>(`bonus-intents?state=${state}&limit=1`);
      if (page === undefined || page.items.length > 0) return false;
    }
    return true;
  };
  await until('all claims to end', moving, { limitMs: settleLimitMs, everyMs: 100, signal });
}

/** The marks of all tracked events, once everything stored is derived. */
async function derivedMarks({ databaseUrl }: Installation, { signal }: Run): Promise<string[]> {
  const pool = openReadOnly(databaseUrl);
  try {
    const drained = async () => {
      const { stored, derived } = await readProgress(pool);
      return stored === derived;
    };
    await until('the backlog to drain', drained, { limitMs: settleLimitMs, everyMs: 100, signal });
    const { rows } = await pool.query<{ mark: string }>(
      `select data->>'mark' as mark from live.site_event where name = 'page_viewed'`,
    );
    return rows.map(({ mark }) => mark);
  } finally {
    await pool.end();
  }
}

async function readMessages(site: Site, visitors: readonly Visitor[]): Promise<Set<number>> {
  const lists = await Promise.all(
    visitors.map(({ sid }) =>
      site.insist<{ MessageId: number; IsRead: boolean }[]>(sid, 'GET', 'Notifications/v2/user-notifications'),
    ),
  );
  return new Set(lists.flat().flatMap(({ MessageId, IsRead }) => (IsRead ? [MessageId] : [])));
}
