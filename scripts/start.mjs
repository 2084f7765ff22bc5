/** `npm start`: installs what is missing and runs the supervisor (packages/platform/src/supervisor). */
import { ensureInstalled, runNode } from './bootstrap.mjs';

// Read this before installing, because this process gets another parent if its parent is killed meanwhile.
const starter = process.ppid;
ensureInstalled({ tools: false });

// npm passes on SIGTERM and SIGINT, and waits for us. If npm is killed with SIGKILL, we only notice that it no longer runs. Then send
// only one signal, because the supervisor treats a second one as the order to stop without waiting.
const npmPollMs = 500;
if (process.env.npm_lifecycle_event !== undefined) {
  if (process.ppid !== starter) process.exit(1);
  const poll = setInterval(() => {
    if (process.ppid === starter) return;
    clearInterval(poll);
    process.kill(process.pid, 'SIGTERM');
  }, npmPollMs).unref();
}

process.exit(await runNode(['packages/platform/src/main.ts', 'supervisor', ...process.argv.slice(2)], { tied: true }));
