import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkout } from '../installation.ts';

/* The archive command of the deployment guide. restore.e2e.test.ts runs it from PostgreSQL. */
const run = promisify(execFile);
const script = path.join(checkout, 'deploy/postgresql/archive-wal.sh');
const segment = '000000010000000000000004';
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  await write(segment, 'the log');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
const read = (name: string) => readFile(path.join(folder, name), 'utf8');
const archive = (file = segment) => run('sh', [script, path.join(folder, file), path.join(folder, 'copy')]);

test('a file is archived, and archived again without a change', async () => {
  await archive();
  expect(await read('copy')).toBe('the log');
  await archive();
  expect(await read('copy')).toBe('the log');
  expect(await readdir(folder)).toEqual([segment, 'copy']);
});

test('a copy with other contents is not replaced', async () => {
  await write('copy', 'the log of another server');
  await expect(archive()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exists with other contents'),
  });
  expect(await read('copy')).toBe('the log of another server');
});

test('a failed attempt leaves no copy, and the unfinished copy of an interrupted attempt is overwritten', async () => {
  await expect(archive('a file that does not exist')).rejects.toMatchObject({ code: 1 });
  expect(await readdir(folder)).not.toContain('copy');
  await write('copy.unfinished', 'the log, but longer and from an earlier attempt');
  await archive();
  expect(await readdir(folder)).toEqual([segment, 'copy']);
  expect(await read('copy')).toBe('the log');
});

test('the copy has its name only after it is on disk', async () => {
  const traced = await run('sh', ['-x', script, path.join(folder, segment), path.join(folder, 'copy')]);
  const commands = traced.stderr.split('\n').map((line) => /^\+ (cp|sync|mv)\b/.exec(line)?.[1]);
  expect(commands.filter((command) => command !== undefined)).toEqual(['cp', 'sync', 'mv', 'sync']);
});
