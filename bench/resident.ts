import { readFile } from 'node:fs/promises';

/** Bytes of one page of memory, as counted in /proc. */
const pageBytes = 4_096;

/** Linux only, like the figures. */
export async function residentMegabytes(pid: number): Promise<number> {
  const [, resident] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
  return (Number(resident) * pageBytes) / 1_000_000;
}
