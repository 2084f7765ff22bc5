import { expect, onTestFinished, test } from 'vitest';
import { adminToken, setupConsole } from '../../../testing/console/setup-console.ts';
import { testLog } from '../../../testing/log.ts';
import { HttpService } from '../../http/http-service.ts';
import { createHttpServer } from '../../http/server.ts';
import { consoleRoutes } from '../api.ts';
import { insertAudit } from '../audit/store.ts';
import { changeStream } from './stream.ts';
import { msBetweenReports, TableChanges } from './table-changes.ts';

const console = await setupConsole();

test('an open console is notified of changes, and its stream ends when the process stops', async () => {
  const service = new HttpService({
    port: 0,
    host: '127.0.0.1',
    build: async (stopping) => {
      const app = await createHttpServer({ edge: () => false, log: testLog });
      await app.register(consoleRoutes({ ...console, clock: console.clock.now, log: testLog, adminToken, stopping }));
      return app;
    },
  });
  await service.start();
  const answer = await fetch(`http://127.0.0.1:${service.port}/api/console/v1/brands/malta/changes`, {
    headers: { authorization: `Bearer ${adminToken}` },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const hear = async (topic: string) => {
    while (!text.includes(topic)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`the stream ended: ${text}`);
      text += value;
    }
  };
  await hear('retry: 2000');
  // PostgreSQL counts the writes of a connection up to a second later. The first reading has no earlier one to compare with.
  let isHeard = false;
  const writing = (async () => {
    while (!isHeard) {
      await console.quarantine.keep(console.brand, 'payment', Buffer.from('{}'), [], null);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  await hear('"quarantine"');
  isHeard = true;
  await writing;
  await service.stop();
  // If the server had to cut the connection, the read would fail.
  while (!(await reader.read()).done);
});

test("a person's change is counted when it is committed, also if the connection is idle afterwards", async () => {
  const connection = await console.pool.connect();
  onTestFinished(() => connection.release());
  const counted = async () => {
    const { rows } = await console.pool.query<{ written: number }>(
      `select n_tup_ins::int as written from pg_stat_user_tables where relname = 'console_audit'`,
    );
    return rows[0]?.written ?? 0;
  };
  const entry = {
    at: 0,
    account_id: null,
    actor: 'admin token',
    brand_id: null,
    action: 'key.created',
    subject: 'test',
  };
  const before = await counted();
  // Without the flush, PostgreSQL would count the second entry 10 s later, because it counted the first one less than a second before.
  for (const expected of [before + 1, before + 2]) {
    await insertAudit(connection, { ...entry, details: {} });
    expect(await counted()).toBe(expected);
  }
});

test('a stream opens only after the counters were read: later changes are reported', async () => {
  const reading = Promise.withResolvers<{ rows: { name: string; written: number }[] }>();
  let reads = 0;
  const pool = {
    query: () => (reads++ === 0 ? reading.promise : Promise.resolve({ rows: [{ name: 'quarantine', written: 1 }] })),
  };
  const changes = new TableChanges({ pool: pool as never, log: console.app.log as never });
  const stream = changeStream(changes);
  onTestFinished(async () => void (await stream.return(undefined)));
  let isOpen = false;
  const opened = stream.next().then(() => {
    isOpen = true;
  });
  await expect.poll(() => reads).toBe(1);
  expect(isOpen).toBe(false);
  reading.resolve({ rows: [{ name: 'quarantine', written: 0 }] });
  await opened;
  await changes.runOnce();
  expect((await stream.next()).value).toBe('data: ["overview","quarantine"]\n\n');
  changes.end();
});

test('without listeners, the counters are not read; changes are batched while a console is slow', async () => {
  const reads: string[] = [];
  let written = 0;
  const pool = {
    query: async () => {
      reads.push('read');
      return { rows: [{ name: 'quarantine', written: written++ }] };
    },
  };
  const changes = new TableChanges({ pool: pool as never, log: console.app.log as never });
  expect(reads).toEqual([]);
  const stream = changeStream(changes);
  onTestFinished(async () => void (await stream.return(undefined)));
  expect((await stream.next()).value).toContain('retry');
  await expect.poll(() => reads.length).toBeGreaterThan(0);
  await changes.runOnce();
  await changes.runOnce();
  expect((await stream.next()).value).toBe('data: ["overview","quarantine"]\n\n');
  changes.end();
  expect((await stream.next()).done).toBe(true);
  expect(changes.listening).toBe(0);
});

test.each([
  [1, 1_000],
  [10, 1_000],
  [50, 5_000],
  [500, 5_000],
])(
  '%i open consoles get reports every %i ms, because each report makes all of them read their page',
  (consoles, ms) => {
    expect(msBetweenReports(consoles)).toBe(ms);
  },
);
