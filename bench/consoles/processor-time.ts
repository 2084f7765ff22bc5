import { readFile } from 'node:fs/promises';
import type { BenchPlatform } from '../platform.ts';

/** Linux counts the processor time of processes in hundredths of a second. */
const ticksPerSecond = 100;

/** Ticks of processor time by pid. */
export type ProcessorTicks = ReadonlyMap<number, number>;

/** The processor time that the api process and its connections in PostgreSQL have used until now. Linux only, like the figures. */
export async function ticksOfApi({ pids: [api], pool }: Pick<BenchPlatform, 'pids' | 'pool'>): Promise<ProcessorTicks> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name like 'croupier api-%'`,
  );
  if (api === undefined) throw new Error('the platform has no api process');
  const ticks = new Map([[api, await ticksOf(api)]]);
  // A connection may have ended since the query.
  for (const { pid } of rows) ticks.set(pid, await ticksOf(pid).catch(() => 0));
  return ticks;
}

/** Seconds of processor time between two readings. What a connection used that ended in between is missing. Pure. */
export function secondsBetween(before: ProcessorTicks, now: ProcessorTicks): number {
  const used = [...now].map(([pid, ticks]) => Math.max(0, ticks - (before.get(pid) ?? 0)));
  return used.reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond;
}

async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the process is in parentheses and may contain spaces. User and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
