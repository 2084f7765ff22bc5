import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgres } from '../src/database/index.ts';
import { testLog } from './log.ts';

/*
 * A process that owns an embedded server until it is stopped: `node own-postgres.ts <folder>`. Tests kill it in all the ways in
 * which a supervisor can end. It prints `{url, pid}` when the server runs, or `{error}`.
 */
const postgres = new EmbeddedPostgres({ folder: process.argv[2] ?? '', log: testLog, durable: false });
process.on('SIGTERM', async () => {
  await postgres.stop();
  process.exit(0);
});
try {
  await postgres.start();
  process.stdout.write(`${JSON.stringify({ url: postgres.url, pid: postgres.pid })}\n`);
  for (;;) await delay(60_000);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
  process.exit(1);
}
