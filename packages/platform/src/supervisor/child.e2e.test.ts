import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testLog } from '../../testing/log.ts';
import { Child } from './child.ts';

const script = fileURLToPath(new URL('../../testing/child-script.ts', import.meta.url));

let journal: string;
let running: Child[];

beforeEach(async () => {
  journal = path.join(await mkdtemp(path.join(tmpdir(), 'croupier-child-')), 'journal');
  running = [];
});

afterEach(async () => {
  for (const child of running) await child.stop();
  await rm(path.dirname(journal), { recursive: true });
});

function child(...does: string[]): Child {
  const made = new Child({
    name: 'test',
    script,
    nodeArguments: [],
    args: [journal, ...does],
    env: { PATH: process.env.PATH },
    log: testLog,
    stopLimitMs: 200,
  });
  running.push(made);
  return made;
}

const lines = async () => (await readFile(journal, 'utf8')).trim().split('\n');
const starts = async () => (await lines()).filter((line) => line.startsWith('started')).length;

describe('a child', () => {
  test('is ready when it reports so, and stops when requested', async () => {
    const one = child();
    await one.start();
    await one.stop();
    expect(await lines()).toEqual([expect.stringMatching(/^started \d+$/), 'asked to stop']);
    expect(one.pid).toBeUndefined();
    await one.stop();
  });

  test('that is killed is restarted as another process', async () => {
    const one = child();
    await one.start();
    const first = one.pid ?? 0;
    process.kill(first, 'SIGKILL');
    await expect.poll(starts).toBe(2);
    expect(one.pid).not.toBe(first);
  });

  test('that does not stop is killed', async () => {
    const one = child('never-stop');
    await one.start();
    const pid = one.pid ?? 0;
    await one.stop();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('that can never start makes the start fail after three attempts', async () => {
    await expect(child('crash-at-start').start()).rejects.toThrow(
      'The process test exited 3 times before it was ready (code 3)',
    );
    expect(await starts()).toBe(3);
  });

  test('that first fails and then starts is ready', async () => {
    const one = child('crash-unless-there');
    const started = one.start();
    await expect.poll(() => lines().catch(() => [])).toHaveLength(1);
    await writeFile(`${journal}.there`, '');
    await started;
    expect(await starts()).toBeLessThanOrEqual(3);
  });

  test('is not restarted after a stop, even while it waits for its next start', async () => {
    const one = child();
    await one.start();
    process.kill(one.pid ?? 0, 'SIGKILL');
    await expect.poll(() => one.pid, { interval: 5 }).toBeUndefined();
    await one.stop();
    // Another child is killed later. By the time that it has been restarted, the first one would have been restarted,
    // too, if `stop` had not prevented it.
    const other = child();
    await other.start();
    process.kill(other.pid ?? 0, 'SIGKILL');
    await expect.poll(starts).toBeGreaterThanOrEqual(3);
    expect(await starts()).toBe(3);
  });
});
