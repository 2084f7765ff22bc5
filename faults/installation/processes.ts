import { readdir, readFile } from 'node:fs/promises';

/*
 * The processes of an installation, as the operating system lists them. They are looked up on each call: a killed process has a
 * successor with another pid, and its old pid may belong to any process.
 *
 *   supervisor -+- api, worker     "croupier api" (the title they give themselves), before that "... main.ts api"
 *               +- postgres        in a separate session; its backends are its children, not the supervisor's
 */
export type Role = 'api' | 'worker' | 'postgres';

const commands: Record<Role, RegExp> = {
  api: /^croupier api|main\.ts api$/,
  worker: /^croupier worker|main\.ts worker$/,
  postgres: /^\S*postgres /,
};

/** The pids of a role among the children of a supervisor, lowest first. Linux only (/proc). */
export async function pidsOf(supervisor: number, role: Role): Promise<number[]> {
  const found: number[] = [];
  for (const pid of await childrenOf(supervisor)) {
    const command = (await text(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ').trim();
    if (commands[role].test(command)) found.push(pid);
  }
  return found;
}

/** Direct children that are still running, lowest pid first. */
export async function childrenOf(parent: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // "pid (name) state ppid ...": the name may contain anything, including a bracket.
    const stat = await text(`/proc/${name}/stat`);
    const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(ppid) === parent && state !== 'Z') found.push(Number(name));
  }
  return found.sort((a, b) => a - b);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns false if the process has already ended. */
export function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

async function text(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
