import { expect, test } from 'vitest';
import type { Brand } from '../../brands/index.ts';
import { EmailServers } from './servers.ts';

const brand = (max_connections: number, per_second: number) =>
  [
    { brand_id: 1, email: { max_connections, per_second } },
    { brand_id: 2, email: null },
  ] as unknown as Brand[];
const sent = { outcome: 'sent' } as const;
const dead = { outcome: 'retry', reason: 'unreachable' } as const;

test('a server gets no more e-mails at once than its connections, and no more per second than its rate', () => {
  let now = 0;
  const servers = new EmailServers(() => now);
  const limits = () => servers.places(brand(5, 4)).map(({ brand_id, limit }) => [brand_id, limit]);
  expect(limits()).toEqual([[1, 4]]);
  for (let n = 0; n < 4; n++) servers.began(1);
  // Four calls are open; none may begin.
  expect(limits()).toEqual([[1, 4]]);
  for (let n = 0; n < 4; n++) servers.ended(1, sent);
  expect(limits()).toEqual([[1, 0]]);
  now = 500;
  expect(limits()).toEqual([[1, 2]]);
  now = 60_000;
  expect(limits()).toEqual([[1, 4]]);
  expect(servers.places(brand(3, 400)).map(({ limit }) => limit)).toEqual([3]);
});

test('a server that fails gets no e-mails, then a probe, and all e-mails once it answers', () => {
  let now = 0;
  const servers = new EmailServers(() => now);
  const limit = () => servers.places(brand(5, 1_000))[0]?.limit;
  expect(limit()).toBe(5);
  for (let n = 0; n < 20; n++) {
    servers.began(1);
    servers.ended(1, dead);
  }
  expect(limit()).toBe(0);
  now = 1_000;
  expect(limit()).toBe(1);
  servers.began(1);
  servers.ended(1, { outcome: 'retry', reason: 'deferred' });
  expect(limit()).toBe(5);
});

test('workers share the rate of a server; a worker without a share sends nothing and reports no shortage', () => {
  let now = 0;
  const shares = [0.5, 0.25, 0.25, 0];
  const workers = shares.map(
    (_, place) =>
      new EmailServers(
        () => now,
        () => shares[place] ?? 0,
      ),
  );
  /** Starts as many e-mails as each worker may start now. */
  const start = () =>
    workers.map((worker) => {
      const limit = worker.places(brand(100, 40))[0]?.limit ?? 0;
      for (let n = 0; n < limit; n++) worker.began(1);
      for (let n = 0; n < limit; n++) worker.ended(1, sent);
      return limit;
    });
  expect(start()).toEqual([20, 10, 10, 0]);
  now += 500;
  expect(start()).toEqual([10, 5, 5, 0]);
  expect(workers[3]?.shortages(0)).toEqual([]);
  // The first worker is gone, and the last one has taken its buckets.
  shares.splice(0, 4, 0, 0.25, 0.25, 0.5);
  expect(start()).toEqual([0, 0, 0, 0]);
  now += 1_000;
  expect(start()).toEqual([0, 10, 10, 20]);
});
