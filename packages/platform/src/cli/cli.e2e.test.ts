import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import { BrandRegistry, Vault } from '../brands/index.ts';

const { pool, url } = await setupDatabase();
const dataDir = await mkdtemp(path.join(tmpdir(), 'croupier-cli-'));
afterAll(() => rm(dataDir, { recursive: true }));

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const secret = 'a secret of 32 characters for tests';

async function cli(
  args: string[],
  input = '',
  databaseUrl = url,
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, CROUPIER_SECRET: secret, ...env },
  });
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, out: out.trim(), err: err.trim() };
}

const malta = `
code: malta
name: Malta
time_zone: Europe/Malta
operator:
  base_url: http://localhost:8090/operator
  auth: { type: basic, username: croupier, password: a secret password }
`;

test('the life of a brand from a terminal', { timeout: 60_000 }, async () => {
  expect(await cli(['brand', 'list'])).toEqual({ code: 0, out: 'none', err: '' });
  expect((await cli(['brand', 'save', '-'], malta)).out).toBe('brand malta is saved');

  const shown = await cli(['brand', 'show', 'malta']);
  expect(JSON.parse(shown.out)).toMatchObject({ code: 'malta', operator: { auth: { type: 'basic' } } });
  expect(shown.out).not.toContain('a secret password');

  const { out: key } = await cli(['key', 'create', 'malta', 'main']);
  const brands = new BrandRegistry({ pool, vault: new Vault(secret), log: testLog });
  await brands.refresh();
  expect(brands.byKey(key)).toMatchObject({ code: 'malta', operator: { auth: { password: 'a secret password' } } });
  expect((await cli(['key', 'revoke', 'malta', 'main'])).out).toBe('revoked');
  await brands.refresh();
  expect(brands.byKey(key)).toBeUndefined();

  const account = await cli(['user', 'create', 'Jo@Example.com', '--role', 'crm', '--brand', 'malta']);
  expect(account.out).toMatch(/^jo@example.com {2}\S{20}$/);
  expect((await cli(['user', 'list'])).out).toContain('crm at malta');

  expect((await cli(['rebuild'])).out).toBe('0 events, 0 players, 0 differ');
});

test.each([
  ['a missing database', (own: URL) => Object.assign(own, { pathname: '/nowhere' }), 'Create the database'],
  ['an empty database', (own: URL) => Object.assign(own, { pathname: '/postgres' }), 'Start this version of Croupier'],
  ['no server', (own: URL) => Object.assign(own, { port: '1' }), 'Start PostgreSQL, or correct the address'],
])('%s is reported in one paragraph that says what to do, without a stack trace', async (_name, change, message) => {
  const { code, out, err } = await cli(['brand', 'list'], '', change(new URL(url)).href);
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain(message);
  expect(err.split('\n')).toHaveLength(1);
});

test('an unexpected error is one paragraph; LOG_LEVEL=debug adds where it occurred', async () => {
  const own = new URL(url);
  own.searchParams.set('options', '-c role=nobody_known');
  const message = 'An unexpected error occurred: role "nobody_known" does not exist. ';
  const { code, out, err } = await cli(['brand', 'list'], '', own.href);
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe(
    `${message}If the message does not say what to correct, run the same command again with LOG_LEVEL=debug, and report the output as a defect.`,
  );
  const debugged = await cli(['brand', 'list'], '', own.href, { LOG_LEVEL: 'debug' });
  expect(debugged.code).toBe(1);
  expect(debugged.err).toMatch(/as a defect, with the lines below\.\nerror: role .*\n +at /s);
});

test('an invalid address is refused with a message, without a stack trace', async () => {
  const { code, err } = await cli(['campaign', 'pull', '/nowhere', '--brand', 'malta', '--url', 'casino']);
  expect(code).toBe(1);
  expect(err).toContain("argument 'casino' is invalid. must be an address such as http://127.0.0.1:8080");
});

test('wrong arguments are refused with a hint at the help', async () => {
  const { code, err } = await cli(['brand', 'paint']);
  expect([code, err]).toEqual([1, "error: unknown command 'paint'\nAdd --help to see what the command accepts."]);
});

test.each<[args: string[], input: string, message: string]>([
  [['key', 'list', 'nowhere'], '', 'the brand nowhere does not exist; existing brands: malta'],
  [['brand', 'save', '-'], 'code: X Y\nname: Z\ntime_zone: Mars', 'brand.code must be a code of'],
  [['brand', 'save', '-'], 'a: [1', 'the input is not YAML: Flow sequence'],
  [['brand', 'save', '/nowhere.yaml'], '', "open '/nowhere.yaml'. Correct its path."],
  [['player', 'show', 'malta', 'u1'], '', 'the player u1 does not exist at brand malta'],
  [['user', 'create', 'nobody'], '', 'nobody is not an e-mail address'],
  [['rebuild', '--player', 'u1'], '', '--player requires --brand'],
])('%j is refused with a message', async (args, input, message) => {
  const { code, out, err } = await cli(args, input);
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain(message);
  expect(err).not.toContain('    at ');
});
