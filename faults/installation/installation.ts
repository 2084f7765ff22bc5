import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findRunningPostgres } from '../../packages/platform/src/database/index.ts';
import { childrenOf, isAlive, pidsOf, type Role, send } from './processes.ts';
import { until } from './until.ts';

/*
 * A whole Croupier as an operator runs it, seen from outside: the supervisor with a configuration file, its PostgreSQL, its api
 * and worker processes. Nothing in it knows that it is being tested.
 *
 * Nothing outlives this process. `stop` ends everything by its ids, in any state. If this process is killed, the supervisor
 * sees that the channel between them is closed and stops.
 */
export interface InstallationOptions {
  /** Overrides for the brand, in the format of the configuration file. */
  brand?: Record<string, unknown>;
  /** The brand's operator. If absent, the brand has no operator. */
  operator?: { url: string; key: string } | undefined;
  /** Further complete brands, in the format of the configuration file. */
  neighbors?: Record<string, unknown>[];
  processes?: { api?: number; worker?: number };
  /** A PostgreSQL of the caller. If absent, the installation starts the embedded one in its own folder. */
  databaseUrl?: string | undefined;
}

export interface Installation extends AsyncDisposable {
  url: string;
  brandCode: string;
  /** API key of the brand. */
  key: string;
  adminToken: string;
  databaseUrl: string;
  /** The running processes of a role. */
  pids(role: Role): Promise<number[]>;
  /** The environment of the installation, for commands next to it (the command line). */
  env: Record<string, string>;
  /** The newest lines of the installation's log, for finding a cause. */
  log(): string;
  /** Resolves with the supervisor's exit code; null if it had to be killed. A second call is harmless. */
  stop(): Promise<number | null>;
}

const mainScript = fileURLToPath(new URL('../../packages/platform/src/main.ts', import.meta.url));
const brandCode = 'faults';
export const brandZone = 'Europe/Malta';
const key = 'key-of-the-fault-runs-0123456789abcdef';
const adminToken = 'admin-token-of-the-fault-runs';
/**
 * If a start writes no log line for this long, it has hung. The supervisor logs after each of its steps: the cluster and the schema,
 * the worker, the api. On a shared machine, all of them together may take longer.
 */
const startSilenceMs = 60_000;
/** SIGTERM must end the installation within ten seconds (docs/reference/design.md 6). */
const stopLimitMs = 15_000;
const logLines = 2_000;

export async function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const folder = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  const dataDir = path.join(folder, 'data');
  const config = path.join(folder, 'croupier.yaml');
  // JSON is valid YAML.
  await writeFile(config, JSON.stringify(configuration(options)));
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    // Without the compile cache, each process strips types and compiles its modules at each start, which takes half a second.
    ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    CROUPIER_CONFIG: config,
    CROUPIER_ADMIN_TOKEN: adminToken,
    CROUPIER_SECRET: 'a secret of 32 characters for fault runs',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
    ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
  };
  const supervisor = spawn(process.execPath, [mainScript, 'supervisor'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const { lines, announced, silence } = listenTo(supervisor);
  const ending = Promise.withResolvers<number | null>();
  supervisor.once('exit', (code) => ending.resolve(code));
  const pid = supervisor.pid ?? 0;
  let stopping: Promise<number | null> | undefined;
  const stop = () => {
    stopping ??= end(pid, ending.promise).finally(() => rm(folder, { recursive: true, force: true }));
    return stopping;
  };
  try {
    const url = await Promise.race([announced, diedEarly(ending.promise), silence.lasts]);
    const databaseUrl = options.databaseUrl ?? (await findRunningPostgres(path.join(dataDir, 'postgres')));
    if (databaseUrl === null) throw new Error('the database of Croupier cannot be found');
    return {
      url,
      brandCode,
      key,
      adminToken,
      databaseUrl,
      stop,
      env: { ...env, DATABASE_URL: databaseUrl },
      pids: (role) => pidsOf(pid, role),
      log: () => lines.join('\n'),
      [Symbol.asyncDispose]: async () => {
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw new Error(`the installation did not start:\n${lines.join('\n')}`, { cause: error });
  } finally {
    silence.ignore();
  }
}

function configuration({ brand = {}, operator, neighbors = [], processes = {} }: InstallationOptions) {
  const settings = {
    code: brandCode,
    name: 'Brand of the fault runs',
    time_zone: brandZone,
    api_keys: [{ name: 'main', key }],
    ...(operator && { operator: { base_url: operator.url, auth: { type: 'api_key', value: operator.key } } }),
    ...brand,
  };
  // The load, the operator and other tests use the same CPUs, which is why workers keep their priority here.
  return { processes: { worker_nice: 0, ...processes }, brands: [settings, ...neighbors] };
}

interface Heard {
  /** Its log lines. */
  lines: string[];
  /** Resolves with the address of the installation, which the supervisor prints last when it starts. */
  announced: Promise<string>;
  /** `lasts` rejects if there was no log line for too long, unless `ignore` was called before. */
  silence: { lasts: Promise<never>; ignore(): void };
}

function listenTo(supervisor: ChildProcess): Heard {
  const lines: string[] = [];
  let isStarting = true;
  const silent = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => silent.reject(new Error(`Croupier logged nothing for ${startSilenceMs / 1000} s`)),
    startSilenceMs,
  );
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const stream of [supervisor.stdout, supervisor.stderr]) {
    if (stream === null) continue;
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      if (isStarting) timer.refresh();
      if (lines.length > logLines * 2) lines.splice(0, logLines);
      const address = /^ +Croupier +(http\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  }
  const ignore = () => {
    isStarting = false;
    clearTimeout(timer);
  };
  return { lines, announced: promise, silence: { lasts: silent.promise, ignore } };
}

async function diedEarly(ending: Promise<number | null>): Promise<never> {
  throw new Error(`Croupier exited while starting, with code ${await ending}`);
}

/** Sends SIGTERM first; at the limit it kills what still runs, by its ids. */
async function end(supervisor: number, ending: Promise<number | null>): Promise<number | null> {
  const children = await childrenOf(supervisor);
  // A stopped process does not receive SIGTERM.
  for (const pid of children) send(pid, 'SIGCONT');
  send(supervisor, 'SIGTERM');
  const code = await Promise.race([ending, once(AbortSignal.timeout(stopLimitMs), 'abort').then(() => undefined)]);
  if (code !== undefined) return code;
  for (const pid of [supervisor, ...children]) send(pid, 'SIGKILL');
  await until('the processes to end', () => ![supervisor, ...children].some(isAlive), { limitMs: 5_000 });
  return null;
}
