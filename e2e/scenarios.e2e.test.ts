import { startSandboxOperator } from '@croupier/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleOf } from '../faults/installation/console.ts';
import { startInstallation } from '../faults/installation/installation.ts';
import { until } from '../faults/installation/until.ts';
import type { Campaign } from '../packages/campaigns/src/index.ts';
import type { ScenarioStep, TimelineEntry } from '../packages/platform/src/scenarios/index.ts';
import { setupDatabase } from '../packages/platform/testing/database.ts';
import { setupScratch } from '../packages/platform/testing/scenarios/scratch.ts';
import { call } from './publish.ts';

/*
 * Each scenario is played twice: in the runner, on its held clock, and in the processes of an installation, where waits really take
 * two seconds. Each scenario has its own campaign and player. In the installation, all scenarios run at the same time.
 */
const { url: databaseUrl } = await setupDatabase();
const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'key-of-the-operator' } });
afterAll(() => operator.stop());
const brand = { base_currency: 'EUR', time_zone: 'Europe/Malta' };
const installation = await startInstallation({
  databaseUrl,
  operator: { url: operator.url, key: 'key-of-the-operator' },
  brand,
});
afterAll(() => installation.stop());
const scenarios = setupScratch(databaseUrl);
const console = consoleOf(installation);
const limitMs = 90_000;

const template = {
  code: 'hello',
  name: 'Hello',
  channel: 'site',
  purpose: 'marketing',
  content: { en: { title: 'Hello', message: 'Hello' } },
};
const hello = { id: 'hello', send: { channel: 'site' as const, template: 'hello' } };
const pause = { id: 'pause', wait: { for: 'PT2S' } };
const all = (field: `${'trait' | 'status' | 'notification_type'}${string}`, value: string | number) => ({
  combinator: 'and' as const,
  rules: [{ field: field as 'status', operator: '=' as const, value }],
});
const deposited = all('trait.deposit_count', 1);

interface Happening {
  path: string;
  event: string;
  body: Record<string, unknown>;
}
const custom = (name: string): Happening => ({
  path: 'POST /v1/integration/custom',
  event: 'custom',
  body: { notification_type: name, origin: 'casino.test', data: {} },
});
const payment = (status: string): Happening => ({
  path: 'POST /v1/integration/payment',
  event: 'payment',
  body: {
    payment_id: 'n1',
    type: 'Credit',
    status,
    amount: 20,
    currency: 'EUR',
    exchange_rate: 1,
    vendor_id: 'swiftpay',
    origin: 'casino.test',
  },
});
const excluded: Happening = { path: 'PUT /v2/integration/user/blocks', event: 'excluded', body: {} };

/** The campaign starts with the first event; each further one follows once the run is at the given step. */
interface Case {
  name: string;
  parts: Partial<Campaign> & Pick<Campaign, 'steps'>;
  begins?: Happening;
  later?: [step: string, happening: Happening][];
  permits?: boolean;
}
const cases: Case[] = [
  { name: 'a message', parts: { steps: [hello] } },
  { name: 'a wait', parts: { steps: [pause, hello] } },
  {
    name: 'a wait for an event',
    parts: { steps: [{ id: 'w', wait: { event: 'login', timeout: 'PT1H' } }, hello] },
    later: [['w', { path: 'POST /v2/integration/login', event: 'login', body: {} }]],
  },
  { name: 'a timeout', parts: { steps: [{ id: 'w', wait: { event: 'login', timeout: 'PT2S' } }, hello] } },
  {
    name: 'a wait for a rule',
    parts: { steps: [{ id: 'w', wait: { rule: deposited, timeout: 'PT1H' } }, hello] },
    later: [['w', payment('Approved')]],
  },
  {
    name: 'a branch',
    parts: {
      steps: [{ id: 'b', branch: [{ when: deposited, steps: [hello] }, { otherwise: [{ id: 't', tag: 'new' }] }] }],
    },
  },
  { name: 'a bonus after a wait', parts: { steps: [pause, { id: 'g', credit: { bonus_code: 'B1' } }] } },
  {
    name: 'a rollback',
    parts: { steps: [{ ...pause, wait: { for: 'PT1H' } }, hello] },
    begins: payment('Approved'),
    later: [['pause', payment('Rollback')]],
  },
  {
    name: 'an exclusion',
    parts: { steps: [hello, { ...pause, wait: { for: 'PT1H' } }, { ...hello, id: 'again' }] },
    later: [['pause', excluded]],
  },
  { name: 'no consent', parts: { steps: [hello] }, permits: false },
  {
    name: 'a goal',
    parts: { goal: { event: 'payment' }, steps: [{ ...pause, wait: { for: 'PT1H' } }, hello] },
    later: [['pause', payment('Approved')]],
  },
  {
    name: 'a split',
    parts: {
      steps: [
        {
          id: 's',
          split: [
            { name: 'a', share: 50, steps: [hello] },
            { name: 'b', share: 50, steps: [pause, { id: 't', tag: 'b' }] },
          ],
        },
      ],
    },
  },
];
const codeOf = (one: Case) => `case-${cases.indexOf(one)}`;
const beginOf = (one: Case) => one.begins ?? custom(codeOf(one));

function campaignOf(one: Case): Campaign {
  const { event, body } = beginOf(one);
  const where =
    event === 'custom' ? all('notification_type', String(body.notification_type)) : all('status', 'Approved');
  // Payments of other scenarios do not match.
  const audience = all('profile.username' as never, codeOf(one));
  return { code: codeOf(one), name: one.name, entry: { event, where }, audience, ...one.parts };
}

/** The outcome of a step, or of the whole run, in a form that both sides have. */
type Line = [step: string | null, what: string, reason: string | null, variant: string | null];

const doneOutcomes = ['sent', 'credited', 'tagged', 'went_on', 'branched', 'chose'];

function linesOf(timeline: readonly TimelineEntry[]): Line[] {
  return timeline.flatMap(({ step, outcome, reason, variant }): Line[] => {
    if (outcome === 'entered') return [];
    return [[step, step !== null && doneOutcomes.includes(outcome) ? 'done' : outcome, reason, variant]];
  });
}

async function inRunner(one: Case): Promise<Line[]> {
  const user_id = codeOf(one);
  const steps: ScenarioStep[] = [beginOf(one), ...(one.later ?? []).map(([, happening]) => happening)].map(
    ({ event, body }): ScenarioStep => (event === 'excluded' ? { player: { excluded: true } } : { event, body }),
  );
  const { lines, failures } = await scenarios.run({
    name: one.name,
    brand: { ...brand, code: installation.brandCode },
    campaigns: [campaignOf(one)],
    templates: [template as never],
    player: { user_id, profile: { username: user_id }, consents: { SiteNotification: one.permits ?? true } },
    steps: [...steps, { after: 'PT10S' }],
  });
  expect(failures).toEqual([]);
  return linesOf(lines.flatMap((line) => (line.kind === 'came' ? [line.entry] : [])));
}

interface ShownRun {
  campaign: string;
  state: string;
  reason: string | null;
  step: string | null;
  steps: { id: string; state: string; reason: string | null; variant: string | null }[];
}
const isOpen = ({ state }: ShownRun) => state === 'active' || state === 'waiting' || state === 'held';

async function runOf(one: Case): Promise<ShownRun | undefined> {
  const runs = await console.list<ShownRun>(`players/${codeOf(one)}/runs`);
  expect(runs.length).toBeLessThanOrEqual(1);
  return runs[0];
}

async function publish(one: Case, { path, event, body }: Happening): Promise<void> {
  const user_id = codeOf(one);
  if (event === 'excluded') operator.books.change(user_id, { blocks: [{ type: 'Excluded', active: true, note: '' }] });
  const [method = '', place = ''] = path.split(' ');
  const headers = { 'content-type': 'application/json', 'x-api-key': installation.key };
  const told = { ...body, user_id, timestamp: new Date().toISOString() };
  const answer = await call(installation, { method, path: place, headers, body: JSON.stringify(told) });
  expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200 });
}

async function inPlatform(one: Case): Promise<Line[]> {
  await publish(one, beginOf(one));
  for (const [step, happening] of one.later ?? []) {
    await until(`${one.name} to be at ${step}`, async () => (await runOf(one))?.step === step, { limitMs });
    await publish(one, happening);
  }
  const run = await until(
    `${one.name} to end`,
    async () => {
      const found = await runOf(one);
      return found !== undefined && !isOpen(found) && found;
    },
    { limitMs },
  );
  const steps = run.steps.map(({ id, state, reason, variant }): Line => [id, state, reason, variant]);
  return [...steps, [null, run.state, run.reason, null]];
}

const came = new Map<Case, Line[]>();

beforeAll(async () => {
  await console.post('templates', template);
  for (const one of cases) {
    await console.post('campaigns', campaignOf(one));
    await console.post(`campaigns/${codeOf(one)}/publish`, {});
    const user_id = codeOf(one);
    operator.books.addPlayer(user_id, { details: { username: user_id } });
    operator.books.change(user_id, { consents: [{ type: 'SiteNotification', opted_in: one.permits ?? true }] });
    await publish(one, { path: 'POST /v2/integration/user', event: 'registration', body: {} });
  }
  for (const one of cases)
    await until(
      `${codeOf(one)} to be known`,
      async () => {
        const player = await console.get<{ sync: { state: string } }>(`players/${codeOf(one)}`);
        return player?.sync.state === 'current';
      },
      { limitMs },
    );
  await Promise.all(cases.map(async (one) => came.set(one, await inPlatform(one))));
}, 300_000);

test.each(cases.map((one) => [one.name, one] as const))('%s', { timeout: 180_000 }, async (_name, one) => {
  const lines = await inRunner(one);
  expect(lines.length).toBeGreaterThan(1);
  expect(came.get(one)).toEqual(lines);
});

test('a worker runs a backtest: it finds the run that happened', { timeout: 180_000 }, async () => {
  const code = codeOf(cases[0] as Case);
  const { backtest_id } = await console.post<{ backtest_id: number }>(`campaigns/${code}/backtest`, { days: 1 });
  const done = await until(
    'the backtest to be done',
    async () => {
      const found = await console.get<{ state: string; totals: object }>(`campaigns/${code}/backtests/${backtest_id}`);
      return found !== undefined && !['queued', 'running'].includes(found.state) && found;
    },
    { limitMs },
  );
  expect(done).toMatchObject({ state: 'done', share: 1, tried: 1, totals: { entered: 1, sent: 1, done: 1 } });
});
