import { startSandboxOperator } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { judgeBonuses, type ShownIntent } from '../checker/bonuses.ts';
import { judgePaused, judgeStopped } from '../checker/campaign-states.ts';
import {
  announcedOf,
  type CampaignEvidence,
  haveRuns,
  isSettled,
  judgeCampaigns,
  readCampaignEvidence,
  type ShownOnPage,
  type ShownRun,
} from '../checker/campaigns.ts';
import { openReadOnly } from '../checker/check.ts';
import { judgeMoved } from '../checker/moved-runs.ts';
import { judgeForm, judgePushes, readDeliveries } from '../checker/pushes.ts';
import { judgeQuiet } from '../checker/quiet-hours.ts';
import { judgeRollbacks } from '../checker/rollbacks.ts';
import { judgeScheduled } from '../checker/scheduled-runs.ts';
import { consoleOf } from '../installation/console.ts';
import type { Installation } from '../installation/installation.ts';
import { send } from '../installation/processes.ts';
import { until } from '../installation/until.ts';
import { brokenBonuses } from '../load/bonus-faults.ts';
import { campaigns as documents } from '../load/campaign-documents.ts';
import {
  type Burst,
  beginCampaigns,
  type CampaignLife,
  liveInCampaigns,
  type Payment,
  payTogether,
  rollBackTogether,
  sidOf,
} from '../load/campaign-life.ts';
import { startMessageProviders } from '../load/message-providers.ts';
import { isArrival, type OpenPage, openPages } from '../load/open-pages.ts';
import { type PushServices, startPushServices, subscribeDevices } from '../load/push-services.ts';
import { quietHoursNow } from '../load/quiet-hours.ts';
import { siteOf } from '../load/site.ts';
import { startTraffic, type Traffic } from '../load/traffic.ts';
import { type Outcome, outcome } from '../outcome.ts';
import type { Run, Scenario } from '../scenario.ts';
import { strike } from './kill.ts';

/** Payments per second. Each payment causes a run with up to four effects. */
const rate = 16;
const operatorKey = 'key-of-the-operator';
/**
 * The last retry is at most 72 s away: a deferred e-mail waits 1 min, plus 20 %. A bonus waits 1 min, plus 10 %, after a second 401 in a
 * row. After a third 401 it would wait 5 min, but only 1 of 37,000 bonuses gets three. The rest of the time is for effects that were held
 * while the database was unavailable, and are requested again.
 */
const settleLimitMs = 180_000;
/** Providers and operator fail for this long after the load, unless everything has ended before. */
const brokenAfterLoadMs = 30_000;
/** Bursts of payments at once, after the faults. In every second one, a fifth of the runs cannot be processed. */
const bursts = 6;
const burstPayments = 60;
/** The supervisor delays the restart of a process that exits repeatedly by up to 30 s. */
const restartLimitMs = 90_000;
/** Minimum share of the calls that must have a fault. If the share is lower, the run did not test enough. */
const leastFaults = 0.2;

/**
 * Campaigns run while api, worker and PostgreSQL are killed and every provider fails. The players must get exactly what the runs
 * ordered, once, and nothing after they become protected. Some runs cannot be processed: they must fail once, with a reason, and
 * must not delay the others.
 */
export const campaigns: Scenario = {
  name: 'campaigns',
  story:
    'campaigns send e-mails, SMS, pushes, site messages and bonuses while providers and operator fail after the effect, players are excluded, payments are rolled back, campaigns are paused, resumed and stopped, some runs cannot be processed, and api, worker and PostgreSQL are killed (SIGKILL)',
  short: {
    seconds: 20,
    least: {
      causes: 200,
      runs: 150,
      calls: 100,
      email_sent: 20,
      email_unknown: 5,
      sms_sent: 50,
      sms_unknown: 5,
      push_sent: 50,
      push_unknown: 5,
      push_repeated: 5,
      push_no_device: 5,
      devices_gone: 3,
      excluded: 10,
      killed_worker: 1,
      credits: 20,
      shown_on_pages: 5,
      failed_limit: 5,
      failed_refused: 5,
      failed_before_restart: 10,
      together: 360,
      withdrawn: 35,
      calm_withdrawn: 20,
      rolled_back_after_effect: 5,
      exited_by_stop: 1,
      held_by_pause: 1,
      resumed: 1,
      moved: 1,
      scheduled_runs: 25,
      held_by_quiet_hours: 3,
    },
  },
  async run(run) {
    const operator = await startSandboxOperator({ auth: { type: 'api_key', value: operatorKey }, seed: run.seed });
    await using _ = { [Symbol.asyncDispose]: () => operator.stop() };
    await using providers = await startMessageProviders(run.seed);
    await using services = await startPushServices(run.seed);
    const quiet = quietHoursNow();
    await using installation = await run.start({
      brand: { ...settings(operator.url, providers.smtpPort, services), ...quiet.settings },
      processes: { worker: 2 },
    });
    return await play(run, { operator, providers, services, installation, quiet });
  },
};

function settings(operatorUrl: string, smtpPort: number, { origins }: PushServices) {
  return {
    operator: { base_url: operatorUrl, auth: { type: 'api_key', value: operatorKey }, call_timeout_ms: 500 },
    email: {
      host: '127.0.0.1',
      port: smtpPort,
      security: 'none',
      from_address: 'casino@faults.test',
      call_timeout_ms: 1_000,
      max_connections: 20,
      per_second: 1_000,
    },
    push: { private_origins: origins },
  };
}

type Played = Omit<Parameters<typeof beginCampaigns>[0], 'traffic' | 'signal'> & { services: PushServices };

async function play(run: Run, { operator, providers, services, installation, quiet }: Played) {
  const { seed, seconds, signal, allowance } = run;
  await using traffic = startTraffic({
    url: installation.url,
    key: installation.key,
    signal,
    simulation: { seed, players: 1, books: operator.books, brand: { brand_id: 1 } },
  });
  const pool = openReadOnly(installation.databaseUrl);
  try {
    const options = { installation, operator, traffic, providers, quiet, signal };
    const users = await beginCampaigns(options);
    const visitors = users.map((user_id) => ({ user_id, sid: sidOf(user_id) }));
    const site = siteOf(installation);
    using open = await openPages({ installation, site }, visitors);
    const devices = await subscribeDevices({ services, site, pool }, visitors);
    operator.dials.set(['bonus_credit'], brokenBonuses);
    const striking = strike({ installation, pool }, run);
    const life = await liveInCampaigns(options, users, { seed, seconds, rate });
    const kills = await striking;
    run.say(`${life.payments.length} payments are acknowledged; providers and operator continue to fail`);
    const settles = (limitMs: number) =>
      until('every run, message and bonus to end', () => isSettled(pool), { limitMs, everyMs: 250, signal }).catch(
        () => false,
      );
    // Kills delay most calls until the end of the load, so the faults last longer than the load.
    await settles(brokenAfterLoadMs);
    operator.dials.clear();
    providers.heal();
    services.heal();
    run.say('all faults have ended');
    const settled = await settles(settleLimitMs);
    if (!settled) run.say(`not everything ended after ${settleLimitMs / 1_000} s`);
    const askedInFaults = operator.calls.list('bonus_credit');
    const faults = {
      ...structuredClone({ ...providers.counts, ...services.counts }),
      bonus: { calls: askedInFaults.length, faults: askedInFaults.filter(({ fault }) => fault !== null).length },
    };
    const together = settled ? await playTogether(run, { ...options, pool, settles, users, life }) : nothingTogether;
    const kept = await readCampaignEvidence(pool);
    const intents = await consoleOf(installation).list<ShownIntent>('bonus-intents');
    const { credits } = operator.books;
    const asked = operator.calls.list('bonus_credit');
    const orders = intents.map((intent) => ({ ...intent, key: intent.bonus_code, ordered_at: 0 }));
    const pushed = services.taken;
    const evidence: CampaignEvidence = {
      ...kept,
      life,
      taken: providers.taken,
      pushed,
      shown: shownOn(open.pages),
      asked,
      credits,
      allowance,
      failed: await failedRuns(installation),
      ...together,
    };
    const outcomes = [
      ...judgeCampaigns(evidence),
      judgeRollbacks(evidence),
      judgeStopped(evidence),
      judgePaused(evidence),
      judgeMoved(evidence),
      judgeScheduled(evidence),
      judgeQuiet(evidence),
      ...judgePushes({
        devices,
        pushed,
        deliveries: await readDeliveries(pool),
        announced: announcedOf({ life, messages: kept.messages }),
        allowance,
      }),
      judgeForm(services.refused()),
      judgeBonuses({ orders, intents, credits }),
      judgeFaults(faults),
    ];
    const { failed_attempts } = traffic.publisher.counts;
    return outcomes.map((one) => ({ ...one, counts: { ...one.counts, ...kills, failed_attempts } }));
  } finally {
    await pool.end();
  }
}

type Together = Pick<CampaignEvidence, 'bursts' | 'failedBefore' | 'calmPayments'>;
const nothingTogether: Together = { bursts: [], failedBefore: [], calmPayments: [] };

/**
 * Plays bursts with and without runs that cannot be processed, and one with rollbacks. Then restarts the workers, and plays another
 * burst.
 */
async function playTogether(
  { seed, say, signal }: Run,
  {
    installation,
    traffic,
    pool,
    settles,
    users,
    life,
  }: {
    installation: Installation;
    traffic: Traffic;
    pool: Pool;
    settles: (limitMs: number) => Promise<boolean>;
    users: readonly string[];
    life: CampaignLife;
  },
): Promise<Together> {
  const played: Burst[] = [];
  const playBurst = async (name: string, isPoisoned: boolean) => {
    const burst = await payTogether({ traffic }, life, users, { seed, name, count: burstPayments, isPoisoned });
    played.push(burst);
    await haveEnded(name, burst.payments);
  };
  const haveEnded = async (name: string, payments: readonly Payment[]) => {
    const began = () => haveRuns(pool, payments);
    await until('the payments to start runs', began, { limitMs: settleLimitMs, everyMs: 50, signal }).catch(
      (error: Error) => {
        signal?.throwIfAborted();
        say(error.message);
      },
    );
    if (!(await settles(settleLimitMs))) say(`not everything ended after the burst ${name}`);
  };
  for (let n = 0; n < bursts; n++) await playBurst(`burst-${n}`, n % 2 === 1);
  const calmPayments = await rollBackTogether({ traffic }, life, users, { seed, name: 'calm', count: burstPayments });
  await haveEnded('calm', calmPayments);
  const failedBefore = await failedRuns(installation);
  await restartWorkers(installation, signal);
  say('the workers were killed again, and run');
  await playBurst('after-restart', false);
  return { bursts: played, failedBefore, calmPayments };
}

/** The failed runs of all campaigns, as the console API shows them. */
async function failedRuns(installation: Installation): Promise<ShownRun[]> {
  const console = consoleOf(installation);
  const lists = Object.keys(documents).map((code) => console.list<ShownRun>(`campaigns/${code}/runs?state=failed`));
  return (await Promise.all(lists)).flat();
}

/** Kills all workers, and waits until others run. */
async function restartWorkers(installation: Installation, signal: AbortSignal | undefined): Promise<void> {
  const before = await installation.pids('worker');
  for (const pid of before) send(pid, 'SIGKILL');
  const haveRestarted = async () => {
    const pids = await installation.pids('worker');
    return pids.length >= before.length && !pids.some((pid) => before.includes(pid));
  };
  await until('the workers to restart', haveRestarted, { limitMs: restartLimitMs, everyMs: 100, signal });
}

/**
 * What arrived on the sockets. Lists do not count, because a list may contain messages that became visible before the exclusion, so
 * it does not show when an effect began.
 */
function shownOn(pages: readonly OpenPage[]): ShownOnPage[] {
  return pages.flatMap(({ user_id, connections }) =>
    connections.flatMap(({ told }) =>
      told.filter(isArrival).map(({ message_id, at }) => ({ message_id, user_id, at: performance.timeOrigin + at })),
    ),
  );
}

function judgeFaults(of: Readonly<Record<string, { calls: number; faults: number }>>): Outcome {
  const counts: Record<string, number> = {};
  const broken: string[] = [];
  for (const [name, { calls, faults }] of Object.entries(of)) {
    counts[`${name}_calls`] = calls;
    counts[`${name}_faults`] = faults;
    if (faults < calls * leastFaults) broken.push(`${name}: ${faults} of ${calls} calls had a fault`);
  }
  return outcome('-', 'at least a fifth of the calls had a fault', counts, broken);
}
