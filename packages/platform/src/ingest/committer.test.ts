import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { Ledger, LedgerEntry, LedgerWriter } from '../ledger/index.ts';
import { Committer, type CommitterLimits, defaultCommitterLimits, type Refusal } from './committer.ts';

/** A ledger whose appends the test completes or fails, one by one. */
function heldLedger() {
  const appends: { entries: readonly LedgerEntry[]; commit: () => void; fail: () => void }[] = [];
  let opened = 0;
  let away = false;
  const writer: LedgerWriter = {
    append: (entries) =>
      new Promise((resolve, reject) => {
        appends.push({ entries, commit: resolve, fail: () => reject(new Error('connection lost')) });
      }),
    close: async () => {},
  };
  const ledger = {
    openWriter: async () => {
      if (away) throw new Error('no database');
      opened += 1;
      return writer;
    },
  } as unknown as Ledger;
  return {
    ledger,
    appends,
    get opened() {
      return opened;
    },
    set away(value: boolean) {
      away = value;
    },
  };
}

async function startedCommitter(held: ReturnType<typeof heldLedger>, limits: Partial<CommitterLimits> = {}) {
  const commits: number[] = [];
  const committer = new Committer({
    ledger: held.ledger,
    log: pino({ level: 'silent' }),
    limits: { ...defaultCommitterLimits, ...limits },
    onCommit: (events) => commits.push(events),
  });
  await committer.start();
  return { committer, commits };
}

const entry = (body = '{}'): LedgerEntry => ({
  brand_id: 1,
  kind: 'login',
  player_hash: 1n,
  received_at: 0,
  body: Buffer.from(body),
});

const added = (committer: Committer, body?: string): Promise<Refusal | undefined> =>
  new Promise((done) => committer.add(entry(body), done));

describe('group commit', () => {
  test('concurrent events share a commit; those that arrive during it share the next one', async () => {
    const held = heldLedger();
    const { committer, commits } = await startedCommitter(held);
    const first = [added(committer), added(committer), added(committer)];
    await expect.poll(() => held.appends.length).toBe(1);
    const second = [added(committer), added(committer)];
    expect(held.appends[0]?.entries).toHaveLength(3);
    held.appends[0]?.commit();
    expect(await Promise.all(first)).toEqual([undefined, undefined, undefined]);
    await expect.poll(() => held.appends.length).toBe(2);
    held.appends[1]?.commit();
    await Promise.all(second);
    expect(commits).toEqual([3, 2]);
    await committer.stop();
  });

  test('no caller gets an answer before the commit', async () => {
    const held = heldLedger();
    const { committer } = await startedCommitter(held);
    let told = false;
    committer.add(entry(), () => {
      told = true;
    });
    await expect.poll(() => held.appends.length).toBe(1);
    expect(told).toBe(false);
    held.appends[0]?.commit();
    await expect.poll(() => told).toBe(true);
    await committer.stop();
  });

  test('one call at a time is appended within two turns of the event loop, without waiting for others', async () => {
    const held = heldLedger();
    const { committer } = await startedCommitter(held);
    for (let i = 0; i < 5; i++) {
      const call = added(committer);
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(held.appends).toHaveLength(i + 1);
      held.appends[i]?.commit();
      await call;
    }
    await committer.stop();
  });

  test('a failed append refuses its own calls and the waiting ones, and a new writer takes over', async () => {
    const held = heldLedger();
    const { committer } = await startedCommitter(held);
    const own = added(committer);
    await expect.poll(() => held.appends.length).toBe(1);
    const waiting = added(committer);
    held.away = true;
    held.appends[0]?.fail();
    expect(await own).toBe('away');
    expect(await waiting).toBe('away');
    expect(await added(committer), 'while away').toBe('away');
    held.away = false;
    await expect.poll(() => committer.isOpen).toBe(true);
    expect(held.opened).toBe(2);
    const next = added(committer);
    await expect.poll(() => held.appends.length).toBe(2);
    held.appends[1]?.commit();
    expect(await next).toBeUndefined();
    expect(committer.depth).toBe(0);
    await committer.stop();
  });

  test('started without a database, it refuses calls until the database is available', async () => {
    const held = heldLedger();
    held.away = true;
    const { committer } = await startedCommitter(held);
    expect(await added(committer)).toBe('away');
    held.away = false;
    await expect.poll(() => committer.isOpen).toBe(true);
    await committer.stop();
  });

  test.each([
    ['events', { maxPendingEvents: 3 }, '{}'],
    ['bytes', { maxPendingBytes: 30 }, '{"a":"12"}'],
  ])('refuses what exceeds its %s, and accepts more when there is room again', async (_what, limits, body) => {
    const held = heldLedger();
    const { committer } = await startedCommitter(held, limits);
    const taken = [added(committer, body), added(committer, body), added(committer, body)];
    expect(await added(committer, body)).toBe('full');
    await expect.poll(() => held.appends.length).toBe(1);
    expect(await added(committer, body), 'what is under way counts').toBe('full');
    held.appends[0]?.commit();
    await Promise.all(taken);
    const next = added(committer, body);
    await expect.poll(() => held.appends.length).toBe(2);
    held.appends[1]?.commit();
    expect(await next).toBeUndefined();
    await committer.stop();
  });

  test('a large backlog is appended in batches, in the order of the calls', async () => {
    const held = heldLedger();
    const { committer } = await startedCommitter(held, { maxBatchEvents: 4 });
    const calls = Array.from({ length: 10 }, (_, i) => added(committer, `{"n":${i}}`));
    for (let i = 0; i < 3; i++) {
      await expect.poll(() => held.appends.length).toBe(i + 1);
      held.appends[i]?.commit();
    }
    await Promise.all(calls);
    const order = held.appends.flatMap(({ entries }) =>
      entries.map((e) => (JSON.parse(e.body.toString()) as { n: number }).n),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(held.appends.map(({ entries }) => entries.length)).toEqual([4, 4, 2]);
    await committer.stop();
  });

  test('on a stop, it finishes the accepted calls and refuses new ones', async () => {
    const held = heldLedger();
    const { committer } = await startedCommitter(held);
    const underWay = added(committer);
    await expect.poll(() => held.appends.length).toBe(1);
    const gathered = added(committer);
    const stopping = committer.stop();
    expect(await added(committer), 'after the stop began').toBe('away');
    held.appends[0]?.commit();
    expect(await underWay).toBeUndefined();
    await expect.poll(() => held.appends.length).toBe(2);
    held.appends[1]?.commit();
    expect(await gathered).toBeUndefined();
    await stopping;
    expect(await added(committer)).toBe('away');
  });
});
