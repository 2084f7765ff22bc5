import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandboxOperator } from '@croupier/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../faults/installation/until.ts';
import type { ScenarioStep, TimelineEntry } from '../packages/platform/src/scenarios/index.ts';
import { setupDatabase } from '../packages/platform/testing/database.ts';
import { setupScratch } from '../packages/platform/testing/scenarios/scratch.ts';
import { type Case, cases, type Deed, segments, templates } from './scenarios/cases.ts';
import { type Played, startStage } from './scenarios/stage.ts';

/*
 * Each scenario is played twice: in the processes of an installation, where waits really take two seconds or last until the next
 * minute, and then in the runner, on its held clock, with the same inputs at the same times. Both must give the same timeline.
 * Each scenario has its own campaign and player. In the installation, all scenarios run at the same time.
 */
const { url: databaseUrl, pool } = await setupDatabase();
const folder = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
afterAll(() => rm(folder, { recursive: true, force: true }));
const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'key-of-the-operator' } });
afterAll(() => operator.stop());
const stage = await startStage({ databaseUrl, pool, operator, folder });
afterAll(() => stage[Symbol.asyncDispose]());
const scenarios = setupScratch(databaseUrl);
const { console } = stage;

/** Maximum time, in microseconds, by which due work may be late on a shared machine. */
const mostLate = 30_000_000;
/** Tolerance, in microseconds, because clocks are written in milliseconds. */
const rounding = 1_000_000;

const came = new Map<string, { one: Case; played: Played; ended: Date }>();
const failed = new Map<string, unknown>();

beforeAll(async () => {
  const all = await stage.prepare(cases);
  const playing = await Promise.allSettled(all.map((one) => stage.play(one)));
  for (const [place, result] of playing.entries()) {
    const one = all[place] as Case;
    if (result.status === 'rejected') {
      failed.set(one.name, result.reason);
      continue;
    }
    const { look, ...played } = result.value;
    // The runner's timeline must also have everything that followed the last expected outcome.
    await look();
    came.set(one.name, { one, played, ended: new Date() });
  }
}, 400_000);

async function inRunner({ one, played, ended }: { one: Case; played: Played; ended: Date }): Promise<TimelineEntry[]> {
  const steps = played.done.flatMap(({ at, deed }): ScenarioStep[] => [{ until: at.toISOString() }, deed]);
  const { country, consents } = one.player;
  const { lines, failures } = await scenarios.run({
    name: one.name,
    brand: stage.brand,
    campaigns: one.campaigns,
    templates,
    segments,
    at: played.began.toISOString(),
    player: { user_id: one.code, profile: { username: one.code, country }, consents },
    steps: [...steps, { until: ended.toISOString() }],
  });
  expect(failures).toEqual([]);
  return lines.flatMap((line) => (line.kind === 'came' ? [line.entry] : []));
}

/** Sorts entries by campaign, because the order of entries of different campaigns may differ. */
const byCampaign = (entries: readonly TimelineEntry[]) =>
  entries.toSorted((a, b) => Number(a.campaign > b.campaign) - Number(a.campaign < b.campaign));
const untimed = ({ at: _at, until: _until, ...entry }: TimelineEntry) => entry;

describe('in the installation and in the runner', () => {
  const dummy = { local: '2026-01-01T00:00', brandTime: '00:00', nightTime: '00:00' };
  test.each(cases(dummy).map(({ name }) => name))('%s', { timeout: 60_000 }, async (name) => {
    const found = came.get(name);
    if (found === undefined) throw failed.get(name);
    const live = byCampaign(found.played.came);
    const held = byCampaign(await inRunner(found));
    expect(live.map(untimed)).toEqual(held.map(untimed));
    expect(live.length).toBeGreaterThan(1);
    for (const [place, { at, until: end }] of live.entries()) {
      const other = held[place] as TimelineEntry;
      expect(at - other.at, JSON.stringify(other)).toBeGreaterThan(-rounding);
      expect(at - other.at, JSON.stringify(other)).toBeLessThan(mostLate);
      // A short wait may be over before it is read.
      if (end === null) continue;
      expect([other.until, other.until === null ? null : other.until - other.at + at]).toContain(end);
    }
  });
});

test('the cases covered every arm of the experiment, and a message that quiet hours held', () => {
  const all = [...came.values()].flatMap(({ played }) => played.came);
  const arms = all.filter(({ step }) => step === 'split').map(({ variant }) => variant);
  expect(new Set(arms)).toEqual(new Set(['control', 'words', 'money']));
  expect(all).toContainEqual(expect.objectContaining({ outcome: 'held', reason: 'quiet_hours' }));
});

test('the console API shows the same runs', async () => {
  for (const { one, played } of came.values()) {
    const runs = await console.list<{
      state: string;
      steps: { id: string; reason: string | null; variant: string | null }[];
    }>(`players/${one.code}/runs`);
    const shown = runs.flatMap(({ steps }) => steps.map(({ id, reason, variant }) => `${id} ${reason} ${variant}`));
    const read = played.came.filter(({ step }) => step !== null);
    expect(shown.toSorted()).toEqual(
      read.map(({ step, reason, variant }) => `${step} ${reason} ${variant}`).toSorted(),
    );
    const ends = new Set(['done', 'exited', 'goal_reached']);
    expect(played.came.map(({ outcome }) => outcome).filter((outcome) => ends.has(outcome))).toContain(runs[0]?.state);
  }
});

const isLogin = (deed: Deed) => 'event' in deed && deed.event === 'login';

test('a worker runs a backtest: it finds the run that happened', { timeout: 180_000 }, async () => {
  const { backtest_id } = await console.post<{ backtest_id: number }>('campaigns/message/backtest', { days: 1 });
  const done = await until(
    'the backtest to be done',
    async () => {
      const found = await console.get<{ state: string; totals: object }>(`campaigns/message/backtests/${backtest_id}`);
      return found !== undefined && !['queued', 'running'].includes(found.state) && found;
    },
    { limitMs: 90_000 },
  );
  const tried = [...came.values()].filter(({ played }) => played.done.some(({ deed }) => isLogin(deed))).length;
  expect(done).toMatchObject({ state: 'done', share: 1, tried, totals: { entered: 1, sent: 1, done: 1 } });
});
