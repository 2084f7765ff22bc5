import { setTimeout as delay } from 'node:timers/promises';
import { type SandboxOperator, startSandboxOperator } from '@croupier/sandbox';
import { seededRandom } from '../../packages/sandbox/src/random.ts';
import { judgeBonuses, type ShownIntent } from '../checker/bonuses.ts';
import { openReadOnly } from '../checker/check.ts';
import { areIntentsAtRest, intentsAtRest } from '../checker/intents-at-rest.ts';
import { type Console, consoleOf } from '../installation/console.ts';
import type { Installation } from '../installation/installation.ts';
import { send } from '../installation/processes.ts';
import { until } from '../installation/until.ts';
import { brokenBonuses } from '../load/bonus-faults.ts';
import { orderBonuses } from '../load/bonus-orders.ts';
import { tellCredits } from '../load/bonus-teller.ts';
import { eventOf } from '../load/event.ts';
import { startTraffic } from '../load/traffic.ts';
import type { Outcome } from '../outcome.ts';
import type { Run, Scenario } from '../scenario.ts';
import { allLookedUp } from './stage.ts';

/** Orders per second: 12,000 in 2 minutes. */
const rate = 100;
const players = 300;
const codes = ['WELCOME100', 'RELOAD50', 'FREESPINS20', 'CASHBACK10'];
/** The mean gap between kills of a worker or an api process, and between losses of the operator's OAuth tokens. */
const meanKillGapMs = 5_000;
const meanTokenGapMs = 4_000;
/** Once everything works again, retries are at most a minute away. */
const settleLimitMs = 120_000;
const oauth = { type: 'oauth2', client_id: 'croupier', client_secret: 'secret-of-the-fault-runs' } as const;

/** An operator that credits again on a repeated call: no call may be repeated. */
export const bonuses = crediting('bonuses', false);

/** An operator that honors Idempotency-Key: calls with an unknown outcome may be repeated. */
export const bonusesIdempotent = crediting('bonuses-idempotent', true);

function crediting(name: string, idempotent: boolean): Scenario {
  return {
    name,
    story: `bonuses are ordered while six calls in ten fail at the operator${
      idempotent ? ' (which honors Idempotency-Key)' : ''
    }, and workers and api processes are killed (SIGKILL)`,
    short: { seconds: 6, least: { intents: 600, credited: 100 } },
    async run(run) {
      const operator = await startSandboxOperator({ auth: oauth, honorsIdempotencyKey: idempotent, seed: run.seed });
      await using _ = { [Symbol.asyncDispose]: () => operator.stop() };
      await using installation = await run.start({ brand: { operator: settings(operator, idempotent) } });
      // Awaited here because its resources end with this block.
      return await play(run, { operator, installation });
    },
  };
}

function settings(operator: SandboxOperator, idempotent_bonus: boolean) {
  const auth = { ...oauth, token_url: operator.tokenUrl };
  return { base_url: operator.url, auth, idempotent_bonus, call_timeout_ms: 500, max_connections: 64 };
}

async function play(
  run: Run,
  { operator, installation }: { operator: SandboxOperator; installation: Installation },
): Promise<Outcome[]> {
  const { books, dials } = operator;
  const console = consoleOf(installation);
  await using traffic = startTraffic({
    url: installation.url,
    key: installation.key,
    signal: run.signal,
    simulation: { seed: run.seed, players: 1, books, brand: { brand_id: 1 } },
  });
  const users = Array.from({ length: players }, (_, n) => `gambler-${n}`);
  for (const user of users) books.addPlayer(user, { blocks: [], consents: [] });
  await Promise.all(users.map((user) => traffic.publish(eventOf('registration', { user_id: user }))));
  await allLookedUp(installation, { lookUps: players * 3, signal: run.signal });

  dials.set(['bonus_credit', 'bonus_credit_funds'], brokenBonuses);
  const teller = tellCredits({ books, traffic, seed: run.seed });
  const over = new AbortController();
  const trouble = makeTrouble(run, { operator, installation }, over.signal);
  const count = Math.round(run.seconds * rate);
  const orders = await orderBonuses({
    console,
    users,
    codes,
    count,
    rate,
    seed: run.seed,
    signal: run.signal,
  }).finally(() => over.abort());
  const killed = await trouble;
  dials.clear();
  run.say(`${orders.length} orders are placed; all faults have ended`);
  await settled(console, run);
  await teller.finish();
  const intents = await readIntents({ console, installation }, run);
  const judged = judgeBonuses({ orders, intents, credits: books.credits });
  return [{ ...judged, counts: { ...judged.counts, ...killed, ...teller.counts } }];
}

/** Kills processes and expires tokens at random times until the signal; returns the counts. */
async function makeTrouble(
  { seed, say }: Run,
  { operator, installation }: { operator: SandboxOperator; installation: Installation },
  over: AbortSignal,
): Promise<Record<string, number>> {
  const random = seededRandom(`trouble/${seed}`);
  const counts = { killed_api: 0, killed_worker: 0, tokens_expired: 0 };
  const often = async (meanMs: number, strike: () => Promise<void> | void) => {
    for (;;) {
      await delay((0.5 + random.next()) * meanMs, undefined, { signal: over }).catch(() => undefined);
      if (over.aborted) return;
      await strike();
    }
  };
  await Promise.all([
    often(meanTokenGapMs, () => {
      operator.expireTokens();
      counts.tokens_expired += 1;
    }),
    often(meanKillGapMs, async () => {
      const role = random.chance(0.7) ? 'worker' : 'api';
      const [pid] = await installation.pids(role);
      if (pid === undefined || !send(pid, 'SIGKILL')) return;
      say(`killed ${role} ${pid}`);
      counts[`killed_${role}`] += 1;
    }),
  ]);
  return counts;
}

/** All intents, once no match is about to be withdrawn. */
async function readIntents(
  { console, installation }: { console: Console; installation: Installation },
  { signal }: Run,
): Promise<ShownIntent[]> {
  const pool = openReadOnly(installation.databaseUrl);
  const reader = {
    isAtRest: () => areIntentsAtRest(pool),
    list: () => console.list<ShownIntent>('bonus-intents'),
  };
  const polling = { limitMs: settleLimitMs, everyMs: 250, signal };
  return until('the intents to be at rest', () => intentsAtRest(reader), polling).finally(() => pool.end());
}

/** Waits until no intent is open. */
async function settled(console: Console, { signal }: Run): Promise<void> {
  const moving = async () => {
    for (const state of ['offered', 'pending', 'retry']) {
      const page = await console.get<{ items: unknown[] }>(`bonus-intents?state=${state}&limit=1`);
      if (page === undefined || page.items.length > 0) return false;
    }
    return true;
  };
  await until('all intents to end', moving, { limitMs: settleLimitMs, everyMs: 250, signal });
}
