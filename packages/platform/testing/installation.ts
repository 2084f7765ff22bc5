import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/* Starts a complete Croupier as a person does: supervisor, database, processes. For tests that use it from outside and kill parts of it. */
export const checkout = fileURLToPath(new URL('../../../', import.meta.url));

export interface InstallationOptions {
  dataDir: string;
  env?: Record<string, string>;
  /** Default: no sandbox. */
  args?: string[];
  /** The folder of the checkout; default this one. */
  root?: string;
  /** The Node that runs scripts/start.mjs. Default: the Node that runs the tests. */
  node?: string;
  user?: { uid: number; gid: number };
  /** Called before the installation has announced itself. */
  onSpawn?: (child: ChildProcess) => void;
}

export interface Installation {
  /** scripts/start.mjs; the supervisor is its child. */
  process: ChildProcess;
  url: string;
  /** API key of the demo brand; empty if a configuration was given. */
  key: string;
  /** Its output so far: the log as JSON lines, and the announcement. */
  output(): string;
  adminToken(): Promise<string>;
  /** Sends SIGTERM, and returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL to the whole process group, including the database. */
  killAll(): Promise<void>;
}

/** Resolves when the installation has announced itself. @throws with its whole output if it ends before that */
export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const root = options.root ?? checkout;
  const { args = ['--no-sandbox'] } = options;
  const child = spawn(options.node ?? process.execPath, [path.join(root, 'scripts', 'start.mjs'), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: options.dataDir, CROUPIER_ADMIN_TOKEN: '', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that `killAll` reaches all of it and nothing else.
    detached: true,
    ...options.user,
  });
  options.onSpawn?.(child);
  const lines: string[] = [];
  const announced = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        lines.push(line);
        if (line.includes('Console API token')) resolve();
      });
    }
  });
  const output = () => lines.join('\n');
  const ended = once(child, 'exit') as Promise<[code: number | null]>;
  const failed = ended.then(([code]) =>
    Promise.reject(new Error(`Croupier did not start (exit code ${code}):\n${output()}`)),
  );
  await Promise.race([announced, failed]);
  const present = (name: string) => new RegExp(`^ +${name} +(\\S+)`, 'm').exec(output())?.[1] ?? '';
  return {
    process: child,
    url: present('Croupier').replace('localhost', '127.0.0.1'),
    key: present('Brand demo, API key'),
    output,
    adminToken: async () => (await readFile(path.join(options.dataDir, 'admin-token'), 'utf8')).trim(),
    async stop() {
      child.kill('SIGTERM');
      return (await ended)[0];
    },
    async killAll() {
      const database = await databasePid(options.dataDir);
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      if (database !== null) process.kill(database, 'SIGKILL');
      await ended;
    },
  };
}

/** Pid of the embedded database of a data folder; null if there is none. */
export async function databasePid(dataDir: string): Promise<number | null> {
  const file = path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : Number(text.split('\n')[0]);
}

/** Pids of the descendants of a process with this title: `croupier api`. Linux. */
export async function childPids(parent: number, title: string): Promise<number[]> {
  const list = async (pid: number): Promise<number[]> => {
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    const direct = text.split(' ').filter(Boolean).map(Number);
    return [...direct, ...(await Promise.all(direct.map(list))).flat()];
  };
  const found: number[] = [];
  for (const pid of await list(parent)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.replaceAll('\0', ' ').startsWith(title)) found.push(pid);
  }
  return found;
}
