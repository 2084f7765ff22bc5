import { setTimeout as pause } from 'node:timers/promises';
import type { Campaign } from '@croupier/campaigns';
import type { Pool } from 'pg';
import { fillCampaign } from './campaigns/fill.ts';
import { seededCountry, seedReachable } from './campaigns/seed.ts';
import { type Sample, Watch } from './campaigns/watch.ts';
import { startChild } from './child.ts';
import { consoleCall } from './console-call.ts';
import { median, report } from './figure.ts';
import type { LoadResult } from './load/http-load.ts';
import { resultOf } from './load/load.ts';
import { type BenchPlatform, startPlatform } from './platform.ts';
import { publishSegments } from './segments/publish.ts';

/*
 * Starts a campaign for a million players (CAMPAIGN_PLAYERS) while 1,000 events/s (CAMPAIGN_EVENTS) arrive.
 *
 *   events alone --> events and start (CAMPAIGN_SECONDS) --> worker killed, another one continues --> stop
 *     --> every other player gets a run in SQL, and the results of the campaign are read
 *
 * If the time is over before all players were contacted, the bench stops the campaign during its start.
 */
const bench = 'campaign-million';
const code = 'million';
const campaign = (at: string): Campaign => ({
  code,
  name: 'Million',
  purpose: 'service',
  entry: { schedule: { at, zone: 'brand' }, to: 'everybody' },
  steps: [{ id: 'send', send: { channel: 'site', template: 'hello' } }],
});
const template = {
  code: 'hello',
  name: 'Hello',
  channel: 'site',
  purpose: 'service',
  content: {
    en: { title: 'Hello {{ player.first_name | default: "there" }}', message: 'A message of common length.' },
  },
};

interface Plan {
  players: number;
  /** Events per second. */
  rate: number;
  aloneSeconds: number;
  togetherSeconds: number;
  /** How long the second worker continues before the stop. */
  afterKillSeconds: number;
}

/** How long the bench checks that nothing is sent after a stop. */
const lookMs = 8_000;
const minuteMs = 60_000;

export async function benchCampaignMillion({ smoke }: { smoke: boolean }): Promise<boolean> {
  const { CAMPAIGN_PLAYERS, CAMPAIGN_EVENTS, CAMPAIGN_SECONDS } = process.env;
  const plan: Plan = {
    players: Number(CAMPAIGN_PLAYERS ?? (smoke ? 20_000 : 1_000_000)),
    rate: Number(CAMPAIGN_EVENTS ?? (smoke ? 200 : 1_000)),
    aloneSeconds: smoke ? 2 : 20,
    togetherSeconds: Number(CAMPAIGN_SECONDS ?? (smoke ? 3 : 60)),
    afterKillSeconds: smoke ? 2 : 20,
  };
  const platform = await startPlatform({ worker: true, brand: { time_zone: 'UTC' } });
  try {
    const began = performance.now();
    await seedReachable(platform.pool, plan.players);
    const rule = {
      combinator: 'and' as const,
      rules: [{ field: 'profile.country', operator: '=' as const, value: seededCountry }],
    };
    await publishSegments(platform, [{ code: 'everybody', rule }]);
    // At a real brand, autovacuum processed the members long ago. Here the table is new, so autovacuum would write during the measurement.
    await platform.pool.query('vacuum analyze segment_member, segment_due');
    await platform.pool.query('checkpoint');
    figure('seeding and segment', (performance.now() - began) / 1_000, 's');
    return (await measure(platform, plan)) || smoke;
  } finally {
    await platform.stop();
  }
}

async function measure(platform: BenchPlatform, plan: Plan): Promise<boolean> {
  const { pool } = platform;
  await consoleCall(platform, 'POST', 'templates', template);
  // The warm-up is long enough for the disk to write what the seeding left.
  const warmUp = await events(platform, { ...plan, seconds: plan.aloneSeconds, seed: 1 });
  const alone = await events(platform, { ...plan, seconds: plan.aloneSeconds, seed: 2 });
  await startCampaign(platform);
  const measured: { watch?: Watch; before?: Promise<number> } = {};
  const together = await events(platform, { ...plan, seconds: plan.togetherSeconds, seed: 3 }, () => {
    measured.watch = new Watch(platform, code);
    measured.before = countContacts(pool);
  });
  const { watch, before } = measured;
  if (watch === undefined || before === undefined) throw new Error('the events were not sent');
  const contacts = await countContacts(pool);
  const behind = warmUp.answered + alone.answered + together.answered - (await derivedEvents(pool));
  const sentMeanwhile = contacts - (await before);
  let held = tellProgress({ samples: watch.samples.slice(), together, alone, sentMeanwhile, behind, plan });
  if (contacts < plan.players) held = (await killAndStop(platform, plan, watch)) && held;
  await watch.stop();
  const sent = await countContacts(pool);
  const { rows } = await pool.query<{ players: number }>(
    'select count(distinct player_id)::int as players from notification where live_at is not null',
  );
  const players = rows[0]?.players ?? 0;
  const twice = report({
    bench,
    figure: 'contacts beyond one per player',
    value: sent - players,
    unit: 'contacts',
    at_most: 0,
  });
  await readWholeResults(platform);
  return held && twice !== false;
}

/** Reads the results as the console does, with a run of every player. */
async function readWholeResults(platform: BenchPlatform): Promise<void> {
  await fillCampaign(platform.pool, code, { country: seededCountry });
  for (const [name, path] of [
    ['results', 'results'],
    ['results by day', 'results/days'],
  ] as const) {
    const began = performance.now();
    await consoleCall(platform, 'GET', `campaigns/${code}/${path}`);
    figure(`${name} of a run of every player`, (performance.now() - began) / 1_000, 's');
  }
}

/** Publishes the campaign for the next minute, and returns when the first player has entered. */
async function startCampaign(platform: BenchPlatform): Promise<void> {
  const next = Math.ceil((Date.now() + 1_000) / minuteMs) * minuteMs;
  await consoleCall(platform, 'POST', 'campaigns', campaign(new Date(next).toISOString().slice(0, 16)));
  await consoleCall(platform, 'POST', `campaigns/${code}/publish`, {});
  while ((await countContacts(platform.pool)) === 0) await pause(100);
}

function tellProgress(
  of: Record<'together' | 'alone', LoadResult> & {
    samples: readonly Sample[];
    sentMeanwhile: number;
    behind: number;
    plan: Plan;
  },
): boolean {
  const { samples, together, alone } = of;
  figure('players', of.plan.players, 'players');
  figure('events alone', alone.per_second, 'events/s');
  figure('events during the start', together.per_second, 'events/s');
  figure('ingest p50 alone', alone.p50_ms, 'ms');
  figure('ingest p50 during the start', together.p50_ms, 'ms');
  figure('ingest p99 alone', alone.p99_ms, 'ms');
  const ingest = report({
    bench,
    figure: 'ingest p99 during the start',
    value: together.p99_ms,
    unit: 'ms',
    reference: { name: 'events alone', value: alone.p99_ms },
    at_most: 2 * alone.p99_ms,
  });
  figure('events not derived at the end', of.behind, 'events');
  figure('contacts meanwhile', of.sentMeanwhile, 'contacts');
  figure('contacts per second', of.sentMeanwhile / of.plan.togetherSeconds, 'contacts/s');
  figure('progress said that the start is slowed', samples.filter(({ reason }) => reason === 'feed').length, 'times');
  figure('progress read', samples.length, 'times');
  figure('slowest answer with the progress', Math.max(...samples.map(({ answerMs }) => answerMs)), 'ms');
  const shown = report({
    bench,
    figure: 'times at which the shown progress went back',
    value: samples.filter((one, i) => one.entered < (samples[i - 1]?.entered ?? 0)).length,
    unit: 'times',
    at_most: 0,
  });
  const flat = (['apiMegabytes', 'workerMegabytes'] as const).map((column) => {
    const values = samples.map((one) => one[column]);
    const tenth = Math.ceil(values.length / 10);
    const warm = Math.floor(values.length / 5);
    const [first, last] = [median(values.slice(warm, warm + tenth)), median(values.slice(-tenth))];
    const process = column.replace('Megabytes', '');
    figure(`largest memory of ${process}`, Math.max(...values), 'MB');
    return report({
      bench,
      figure: `growth of ${process} after a fifth`,
      value: last / first,
      unit: 'ratio',
      at_most: 1.1,
    });
  });
  return ![ingest, shown, ...flat].includes(false);
}

/** Under the same load, kills the worker, lets another one continue, and then stops the campaign. */
async function killAndStop(platform: BenchPlatform, plan: Plan, watch: Watch): Promise<boolean> {
  const { pool } = platform;
  const load = events(platform, { ...plan, seconds: plan.afterKillSeconds + lookMs / 1_000 + 5, seed: 4 });
  const killedAt = performance.now();
  await platform.replaceWorker();
  const before = await countContacts(pool);
  while ((await countContacts(pool)) === before && watch.latest?.state === 'running') await pause(500);
  figure('from the kill of the worker to the next contact', (performance.now() - killedAt) / 1_000, 's');
  await pause(plan.afterKillSeconds * 1_000);
  figure('contacts by the second worker', (await countContacts(pool)) - before, 'contacts');
  const stoppedAt = performance.now();
  await consoleCall(platform, 'POST', `campaigns/${code}/stop`);
  const answeredMs = performance.now() - stoppedAt;
  let sent = await countContacts(pool);
  let lastMs = answeredMs;
  while (performance.now() - stoppedAt < lookMs) {
    await pause(200);
    const now = await countContacts(pool);
    if (now > sent) lastMs = performance.now() - stoppedAt;
    sent = now;
  }
  figure('answer to the stop', answeredMs, 'ms');
  const stop = report({
    bench,
    figure: 'from the stop to the last contact',
    value: lastMs / 1_000,
    unit: 's',
    at_most: 5,
  });
  await load;
  return stop !== false;
}

/** Sends the mix at a steady rate. @throws for any answer other than 200 */
async function events(
  { port, key }: BenchPlatform,
  { rate, seconds, seed }: { rate: number; seconds: number; seed: number },
  onGenerated?: () => void,
): Promise<LoadResult> {
  const target = { port, path: '/', method: 'POST' as const, headers: { 'x-api-key': key } };
  const generator = await startChild('bench/load/process.ts');
  try {
    const count = Math.ceil((seconds + 1) * rate);
    const mix = { ...target, connections: 64, seconds, rate };
    const result = await resultOf(generator, { mix, events: count, seed }, onGenerated);
    const refused = Object.entries(result.statuses).filter(([status]) => status !== '200');
    if (refused.length > 0) throw new Error(`answers other than 200: ${JSON.stringify(refused)}`);
    return result;
  } finally {
    await generator.stop();
  }
}

async function countContacts(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ sent: number }>(
    'select count(*)::int as sent from notification where live_at is not null',
  );
  return rows[0]?.sent ?? 0;
}

async function derivedEvents(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ events: number }>(
    'select coalesce(sum(events), 0)::int as events from feed_minute',
  );
  return rows[0]?.events ?? 0;
}

function figure(name: string, value: number, unit: string): void {
  report({ bench, figure: name, value, unit });
}
