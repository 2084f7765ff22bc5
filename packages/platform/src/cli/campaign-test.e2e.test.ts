import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { campaignCommand } from './campaign.ts';
import { CliError } from './context.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'croupier-campaign-test-'));
afterAll(() => rm(folder, { recursive: true }));
const main = fileURLToPath(new URL('./main.ts', import.meta.url));

async function campaignTest(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [main, 'campaign', 'test', ...args], { env: process.env });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, out: out.trim(), err: err.trim() };
}

async function fileOf(name: string, content: string | object): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : stringify(content));
  return file;
}

const campaign = {
  code: 'welcome',
  name: 'Welcome',
  entry: { event: 'payment' },
  steps: [
    { id: 'pause', wait: { for: 'PT1H' } },
    { id: 'vip', tag: 'vip' },
  ],
};
const deposit = { event: 'payment', body: { payment_id: 'p1', amount: 20 } };
const whatHappens = [{ entered: 'welcome' }, { waiting: 'pause' }, { tagged: 'vip' }];

const timeline = `
  2026-05-04T12:00:00Z > event payment body {"payment_id":"p1","amount":20}
  2026-05-04T12:00:00Z   welcome entered (version 1)
  2026-05-04T12:00:00Z   welcome pause waiting (until 2026-05-04T13:00:00Z)
  2026-05-04T12:00:00Z > until 2026-05-04T13:00:00Z
  2026-05-04T13:00:00Z   welcome pause went_on
  2026-05-04T13:00:00Z   welcome vip tagged
  2026-05-04T13:00:00Z   welcome done`;

test('a passed scenario prints its timeline and exits with 0', async () => {
  const scenario = { name: 'vip', campaign, steps: [deposit, { after: 'PT1H' }, { expect: whatHappens }] };
  const file = await fileOf('passes.scenarios.yaml', scenario);
  const out = `passed vip (${file})${timeline}\n1 passed, 0 failed`;
  expect(await campaignTest(file)).toEqual({ code: 0, out, err: '' });
});

test('a failed expectation is marked in the timeline, and the command exits with 1', async () => {
  const scenarios = [
    { name: 'vip', steps: [deposit, { after: 'PT1H' }, { expect: whatHappens }] },
    { name: 'too early', steps: [deposit, { expect: whatHappens }] },
    {
      name: 'wrong campaign',
      campaign: { ...campaign, steps: [{ id: 'go' }] },
      steps: [deposit, { expect: 'nothing' }],
    },
    { name: 'more', steps: [deposit, { expect: whatHappens.slice(0, 2) }, { after: 'PT1H' }] },
  ];
  const file = await fileOf('fails.scenarios.yaml', { campaign, scenarios });
  const { code, out, err } = await campaignTest(file, '--quiet');
  expect([code, err]).toEqual([1, '']);
  expect(out.split('\n')).toEqual([
    `passed vip (${file})`,
    `FAILED too early (${file})`,
    ...timeline.split('\n').slice(1, 4),
    '  2026-05-04T12:00:00Z ! expected, but missing: tagged vip',
    `FAILED wrong campaign (${file})`,
    expect.stringMatching(/^ {2}\S+ ! the campaign cannot be published; \/steps\/0 a step must be one of send, /),
    `FAILED more (${file})`,
    ...timeline.split('\n').slice(1),
    '  2026-05-04T13:00:00Z ! not expected: welcome vip tagged',
    '1 passed, 3 failed',
  ]);
});

test.each<[name: string, content: string, message: RegExp]>([
  ['empty', '', /is not a scenario: it must be an object with steps$/],
  ['list', 'scenarios: welcome', /scenarios must be a list of objects$/],
  ['none', '{ campaigns: [], scenarios: [] }', /scenarios must have at least one scenario$/],
  [
    'expectation',
    '{ name: a, campaigns: [], steps: [{ after: PT1H }] }',
    /scenario a: steps must have at least one expect; write "expect: nothing" if nothing may happen$/,
  ],
  ['campaigns', '{ name: a, campaigns: welcome.json, steps: [{ after: PT1H }] }', /campaigns must be a list$/],
  ['steps', '{ name: a, campaigns: [], steps: { after: PT1H } }', /steps must be a list$/],
  ['step', '{ name: a, campaigns: [], steps: [{ wait: PT1H }] }', /scenario a: steps\S* /],
  ['missing', '{ name: a, campaign: nowhere.json, steps: [{ after: PT1H }] }', /nowhere\.json does not exist$/],
])('a file with the error "%s" is refused with one sentence and exit code 2', async (name, content, message) => {
  const file = await fileOf(`${name}.yaml`, content);
  const refused = campaignCommand().parseAsync(['test', file], { from: 'user' });
  const error = await refused.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CliError);
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) });
  expect((error as CliError).message).toContain(folder);
  expect((error as CliError).message.split('\n')).toHaveLength(1);
});

test('the command prints the error of a file without a stack trace, and exits with code 2', async () => {
  const { code, out, err } = await campaignTest(await fileOf('syntax.yaml', 'name: a: b'));
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/Nested mappings are not allowed/);
  expect(err).toContain(folder);
  expect(err.split('\n')).toHaveLength(1);
});
