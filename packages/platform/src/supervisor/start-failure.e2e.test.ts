import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';

const { url } = await setupDatabase();
const dataDir = await mkdtemp(path.join(tmpdir(), 'croupier-start-'));
afterAll(() => rm(dataDir, { recursive: true }));

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

test.each([
  ['info', / run the same command again with LOG_LEVEL=debug, and report the output as a defect\.\n$/],
  ['debug', / Report this as a defect, with the lines below\.\nerror: role .*\n +at /],
])('a start that fails for an unexpected reason, with LOG_LEVEL=%s', async (level, expected) => {
  const own = new URL(url);
  own.searchParams.set('options', '-c role=nobody_known');
  const child = spawn(process.execPath, [main, 'api'], {
    env: {
      ...process.env,
      DATABASE_URL: own.href,
      DATA_DIR: dataDir,
      CROUPIER_SECRET: 'a secret of 32 characters for tests',
      LOG_LEVEL: level,
    },
  });
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close'), text(child.stdout)]);
  expect(code).toBe(1);
  expect(err).toMatch(/^Croupier cannot start\. An unexpected error occurred: role "nobody_known" does not exist\. /);
  expect(err).toMatch(expected);
});

test.each([
  ['info', /^An unexpected error occurred: the bell rang\. .* LOG_LEVEL=debug, and report the output as a defect\.\n$/],
  ['debug', /^An unexpected error occurred: the bell rang\. .*\nError: the bell rang\n +at /],
])('an error that nothing catches after the start, with LOG_LEVEL=%s', async (level, expected) => {
  const fault = "data:text/javascript,process.once('SIGUSR2', () => { throw new Error('the bell rang'); })";
  const child = spawn(process.execPath, ['--import', fault, main, 'api'], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      CROUPIER_SECRET: 'a secret of 32 characters for tests',
      PORT: '0',
      LOG_LEVEL: level,
    },
  });
  child.stdout.on('data', (piece) => {
    if (/"msg":"ready"/.test(String(piece))) child.kill('SIGUSR2');
  });
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect(code).toBe(1);
  expect(err).toMatch(expected);
});

test('an error that a command does not catch', async () => {
  const script = path.join(dataDir, 'bell.mjs');
  await writeFile(script, "throw new Error('the bell rang');");
  const runner = fileURLToPath(new URL('../../../../scripts/run.mjs', import.meta.url));
  const child = spawn(process.execPath, [runner, script], { env: { ...process.env, LOG_LEVEL: 'info' } });
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect(code).toBe(1);
  expect(err).toMatch(/^An unexpected error occurred: the bell rang\. [^\n]*\n$/);
});
