import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Steps of the system's priority ("nice"). If both need a CPU, a process that is 10 steps higher gets nine times as much of it. */
const lowerBy = 10;
const lowest = 19;

/**
 * Lowers the CPU priority of this process. Workers call it, so that api processes on the same machine acknowledge events promptly
 * while workers are busy. It has no effect while a CPU is idle. On 2 cores, during a campaign to a million players and 1,000 events/s,
 * the p99 of ingest was 13 ms; with 5 steps 16 ms, without this function 30 ms, and without the campaign 7 to 9 ms.
 *
 * @returns whether the system allowed it
 */
export function yieldCpu(): boolean {
  try {
    const priority = Math.min(lowest, getPriority() + lowerBy);
    for (const thread of threads()) setPriority(thread, priority);
    return true;
  } catch {
    return false;
  }
}

/** On Linux, each thread has its own priority, and new threads inherit it. On other systems, 0 stands for the whole process. */
function threads(): number[] {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
}
