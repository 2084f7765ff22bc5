import { Socket } from 'node:net';
import { vi } from 'vitest';

/** Counts the writes to the sockets of a process. The driver of PostgreSQL uses one write for statements that it gets together. */
export async function writesOf(work: () => Promise<unknown>): Promise<number> {
  const prototype = Socket.prototype as unknown as { _write(): void; _writev(): void };
  const spies = [vi.spyOn(prototype, '_write'), vi.spyOn(prototype, '_writev')];
  try {
    await work();
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** The same for work that finds nothing and can be repeated. A connection that is opened again adds writes, so the work is done twice. */
export async function fewestWritesOf(work: () => Promise<unknown>): Promise<number> {
  return Math.min(await writesOf(work), await writesOf(work));
}
