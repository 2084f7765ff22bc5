import { execFileSync } from 'node:child_process';
import { getPriority } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

test('all threads of the process get the lower priority, and also threads that start later', () => {
  const script = `
    import { readFileSync, readdirSync } from 'node:fs';
    import { getPriority } from 'node:os';
    import { Worker } from 'node:worker_threads';
    import { yieldCpu } from ${JSON.stringify(path.join(import.meta.dirname, 'yield-cpu.ts'))};
    const isAllowed = yieldCpu(7);
    const later = new Worker('setInterval(() => {}, 1000)', { eval: true });
    later.once('online', () => {
      const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
      process.stdout.write(JSON.stringify({ isAllowed, priorities: [...new Set(threads.map((one) => getPriority(one)))] }));
      later.terminate();
    });
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual({ isAllowed: true, priorities: [Math.min(19, getPriority() + 7)] });
});
