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
