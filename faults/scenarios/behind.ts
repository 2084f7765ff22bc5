import { setTimeout as delay } from 'node:timers/promises';
import { type Random, seededRandom } from '../../packages/sandbox/src/random.ts';
import {
  type BehindEvidence,
  judgeBehind,
  judgeOthersServed,
  judgeReasons,
  type LateMessage,
  type MarketingList,
} from '../checker/behind.ts';
import type { ShownIntent } from '../checker/bonuses.ts';
import { brandIdOf } from '../checker/check.ts';
import { type Console, consoleOf } from '../installation/console.ts';
import { until } from '../installation/until.ts';
import { type BonusOrder, orderBonuses } from '../load/bonus-orders.ts';
import { importAhead, lockPayments, stopWorker } from '../load/derive-troubles.ts';
import { eventOf } from '../load/event.ts';
import { type Site, SiteRefusal, siteOf } from '../load/site.ts';
import type { Run, Scenario } from '../scenario.ts';
import { type Stage, setStage } from './stage.ts';

const rate = 40;
/** The number of players who are excluded during each trouble (load/derive-troubles.ts). As many other players are not excluded. */
const excludedPlayers = 20;
const importingPlayers = 200;
/** If each trouble has fewer seconds than this, the import is smaller. */
const fullSeconds = 20;
const imports = { full: 100_000, short: 10_000 };
const drainMs = 240_000;
/** Kinds of events after which the player's protection may have changed. */
const updates = ['blocks_update', 'user_update', 'registration'] as const;
const codes = ['WELCOME100', 'CASHBACK10'];
const consents = ['Email', 'SiteNotification', 'PushNotification'].map((type) => ({ type, opted_in: true }));

/** Players are excluded while derive is behind in three ways, and bonuses and messages are ordered for them all the time. */
export const behind: Scenario = {
  name: 'behind',
  story: 'players are excluded while derive lags: it cannot write, a worker is stopped, or an import is queued first',
  short: {
    seconds: 12,
    least: {
      excluded: 60,
      ordered_after: 60,
      others_credited: 30,
      shown_pending: 10,
      shown_before: 60,
      lists_after: 60,
    },
  },
  async run(run) {
    await using stage = await setStage(run, { processes: { api: 2, worker: 2 } });
    const { installation, operator } = stage;
    const console = consoleOf(installation);
    const site = siteOf(installation);
    const seconds = run.seconds / 3;
    const random = seededRandom(`behind/${run.seed}`);
    const imported = seconds < fullSeconds ? imports.short : imports.full;
    const importing = Array.from({ length: importingPlayers }, (_, n) => `importing-${n}`);
    for (const user of importing) operator.books.addPlayer(user, { blocks: [], consents });
    const seen: Seen = { orders: [], excluded: new Map(), messages: [], lists: [], shown: [], troubles: [] };
    const playing = new AbortController();
    const load = playOn(stage, playing.signal);

    const meet = async (name: string, begin: () => Promise<AsyncDisposable | undefined>) => {
      const players = await introduce(stage, run, name);
      const trouble = await begin();
      run.say(`${name}: derive is behind`);
      const from = Date.now();
      await excludeAndOrder(stage, { run, console, site, seconds, random, name, players, seen });
      seen.troubles.push({ from, to: Date.now() });
      await trouble?.[Symbol.asyncDispose]();
      await drained(stage, run);
    };
    await meet('locked', () => lockPayments(installation, { random, seconds, signal: run.signal }));
    await meet('stopped', () => stopWorker(installation, { random }));
    const brandId = await brandIdOf(stage.pool, installation.brandCode);
    await meet('import', async () => {
      await importAhead(installation, { brandId, users: importing, count: imported, seed: run.seed });
      return undefined;
    });
    playing.abort();
    await load;

    const calls = [...operator.calls.list('bonus_credit'), ...operator.calls.list('bonus_credit_funds')];
    await Promise.all([...seen.excluded.keys()].map((user) => lookAtSite(site, user, seen)));
    const intents = await settled(console, run);
    const messages = await Promise.all(seen.messages.map((message) => inTheEnd(console, message)));
    const evidence = { ...seen, calls, intents, messages, imported, allowance: run.allowance };
    return [judgeBehind(evidence), judgeOthersServed(evidence), judgeReasons(evidence)];
  },
};

interface Seen extends Pick<BehindEvidence, 'shown' | 'orders' | 'messages' | 'lists' | 'troubles'> {
  orders: BonusOrder[];
  excluded: Map<string, number>;
  messages: LateMessage[];
  lists: MarketingList[];
  shown: (string | null)[];
  troubles: { from: number; to: number }[];
}

/** The casino publishes all the time, because its payments make the batches wait. */
async function playOn({ traffic }: Stage, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await traffic.play({ rate, seconds: 1 });
}

interface Players {
  leaving: readonly string[];
  staying: readonly string[];
}

async function introduce({ operator, traffic, pool }: Stage, run: Run, name: string): Promise<Players> {
  const named = (what: string) => Array.from({ length: excludedPlayers }, (_, n) => `${name}-${what}-${n}`);
  const players = { leaving: named('leaving'), staying: named('staying') };
  const users = [...players.leaving, ...players.staying];
  for (const user of users) {
    operator.books.addPlayer(user, { blocks: [], consents });
    operator.books.signIn(user, sidOf(user));
  }
  await Promise.all(users.map((user_id) => traffic.publish(eventOf('registration', { user_id }))));
  await until(
    'the players to be looked up',
    async () => {
      const { rows } = await pool.query<{ known: number }>(
        `select count(*)::int as known from player p
        where p.user_id = any ($1) and 3 = (select count(*) from player_sync s where s.player_id = p.player_id and s.done = s.requested)`,
        [users],
      );
      return rows[0]?.known === users.length;
    },
    { limitMs: 120_000, everyMs: 100, signal: run.signal },
  );
  return players;
}

/** Excludes one player after the other, and places orders for all of them before, during and after. */
async function excludeAndOrder(
  stage: Stage,
  on: {
    run: Run;
    console: Console;
    site: Site;
    seconds: number;
    random: Random;
    name: string;
    players: Players;
    seen: Seen;
  },
): Promise<void> {
  const { run, console, site, seconds, random, name, players, seen } = on;
  const { operator, traffic } = stage;
  const users = [...players.leaving, ...players.staying];
  const count = Math.round(seconds * rate);
  const ordering = orderBonuses({
    console,
    users,
    codes,
    count,
    rate,
    seed: `${run.seed}/${name}`,
    signal: run.signal,
  });
  for (const user_id of players.leaving) {
    await orderMessage(console, user_id, { title: `Before ${user_id}`, purpose: 'marketing' });
    await lookAtSite(site, user_id, seen);
    // The gate decides about this message, and it is committed, while the exclusion is being processed.
    const racing = orderMessage(console, user_id, { title: `Beside ${user_id}`, purpose: 'marketing' });
    operator.books.change(user_id, { blocks: [{ type: 'Excluded', active: true, note: 'by the player' }] });
    await traffic.publish(eventOf(random.pick(updates), { user_id }));
    seen.excluded.set(user_id, Date.now());
    await lookAtSite(site, user_id, seen);
    await racing;
    await lookAtSite(site, user_id, seen);
    const once = { users: [user_id], count: 1, rate: 1, seed: `${run.seed}/${user_id}` };
    seen.orders.push(...(await orderBonuses({ console, codes, ...once, signal: run.signal })));
    seen.messages.push(await orderMessage(console, user_id, { title: `After ${user_id}`, purpose: 'service' }));
    seen.shown.push(await reasonShown(console, user_id));
    await delay((seconds * 1_000) / players.leaving.length / 2, undefined, { signal: run.signal });
  }
  seen.orders.push(...(await ordering));
}

const sidOf = (user_id: string) => `sid-of-${user_id}`;

/** Requests the list as a page of the player does. If the session has ended, the page shows nothing. */
async function lookAtSite(site: Site, user_id: string, { lists }: Seen): Promise<void> {
  const asked_at = Date.now();
  type Listed = { MessageId: number; IsRead: boolean; Title: string };
  const list = await site
    .insist<Listed[]>(sidOf(user_id), 'GET', 'Notifications/v2/user-notifications')
    .catch((error: Error) => {
      if (error instanceof SiteRefusal && error.status === 401) return [];
      throw error;
    });
  const marketing = list.filter(({ Title, IsRead }) => !IsRead && !Title.startsWith('After'));
  lists.push({ user_id, asked_at, message_ids: marketing.map(({ MessageId }) => MessageId) });
}

async function orderMessage(
  console: Console,
  user_id: string,
  { title, purpose }: { title: string; purpose: 'marketing' | 'service' },
): Promise<LateMessage> {
  const body = { event: 'inbox', purpose, title, message: title };
  const { message_id, state } = await console.insist<{ message_id: number; state: string }>(
    `players/${user_id}/messages`,
    body,
    title,
  );
  return { message_id, user_id, states: [state] };
}

async function inTheEnd(console: Console, message: LateMessage): Promise<LateMessage> {
  const shown = await console.get<{ state: string }>(`messages/${message.message_id}`);
  return { ...message, states: [...message.states, shown?.state ?? 'missing'] };
}

/** Repeats the request if the process was just killed. */
async function reasonShown(console: Console, user_id: string): Promise<string | null> {
  type Shown = { items: { channel: string; reason: string | null }[] };
  const look = () => console.get<Shown>(`players/${user_id}/contactability`);
  const shown = await until('an answer about a player', look, { limitMs: 60_000 });
  return shown.items.find(({ channel }) => channel === 'bonus')?.reason ?? null;
}

/** Waits until no event that can change protection is waiting, and all look-ups are answered. */
async function drained({ pool }: Stage, run: Run): Promise<void> {
  const nothingWaits = async () => {
    const { rows } = await pool.query<{ waiting: number }>(
      `select (select count(*) from pending_protection)
            + (select count(*) from player_sync s join player p using (player_id)
                where s.news > s.done and p.user_id ~ '^(locked|stopped|import)-') as waiting`,
    );
    return Number(rows[0]?.waiting) === 0;
  };
  await until('derive to be no longer behind', nothingWaits, { limitMs: drainMs, everyMs: 250, signal: run.signal });
}

async function settled(console: Console, run: Run): Promise<ShownIntent[]> {
  const all = async () => {
    const intents = await console.list<ShownIntent>('bonus-intents');
    return intents.every(({ state }) => state !== 'pending' && state !== 'retry') && intents;
  };
  return until('every intent to have ended', all, { limitMs: drainMs, everyMs: 500, signal: run.signal });
}
