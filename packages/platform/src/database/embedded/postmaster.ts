import { execFile } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The file that a server writes to its folder while it runs. It remains if the server is killed. */
export interface PostmasterFile {
  pid: number;
  port: number;
}

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  // Lines: pid, folder, start time, port, ...
  const [pid, , , port] = text.split('\n');
  const file = { pid: Number(pid), port: Number(port) };
  return Number.isInteger(file.pid) && file.pid > 0 ? file : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * True if the process is a server of exactly this folder. A pid alone proves nothing: in a container the same small
 * pids are reused after each start, so the file of a killed server may contain the pid of an unrelated process. Also
 * false for a zombie: a process that has ended, but was not reaped by its pid 1, has no working folder anymore.
 */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux') {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    return cwd === (await realpath(cluster)) && name.trim() === 'postgres';
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.includes('postgres') && stdout.includes(cluster);
}

export async function waitUntilGone(pid: number, cluster: string, limitMs: number): Promise<boolean> {
  const pollMs = 20;
  for (let waited = 0; await isPostmasterOf(pid, cluster); waited += pollMs) {
    if (waited >= limitMs) return false;
    await delay(pollMs);
  }
  return true;
}

/**
 * How a server is ended: first "fast" (open transactions are rolled back, a checkpoint is written), then "immediate"
 * (the next start recovers from the write-ahead log), then SIGKILL. None of them loses committed data.
 */
export function stopSignals(fastMs: number): [signal: NodeJS.Signals, limitMs: number][] {
  return [
    ['SIGINT', fastMs],
    ['SIGQUIT', 2_000],
    ['SIGKILL', 2_000],
  ];
}

/** Ends a server that is not our child process. */
export async function stopPostmaster(pid: number, cluster: string, fastMs: number): Promise<void> {
  for (const [signal, limitMs] of stopSignals(fastMs)) {
    if (!(await isPostmasterOf(pid, cluster))) return;
    process.kill(pid, signal);
    if (await waitUntilGone(pid, cluster, limitMs)) return;
  }
}
