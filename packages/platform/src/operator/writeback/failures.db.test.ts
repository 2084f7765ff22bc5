import type { Fault } from '@croupier/sandbox';
import { describe, expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { testLog } from '../../../testing/log.ts';
import { makeWorker } from '../../../testing/operator/setup-sync.ts';
import {
  change,
  consent,
  hurry,
  out,
  pollOptions,
  setupWrites,
  untilState,
  type WriteSetup,
  writesOf,
} from '../../../testing/operator/writeback/setup-writes.ts';
import { systemClock } from '../../clock.ts';
import { carryOut } from '../../outgoing/call.ts';
import { lost } from '../../outgoing/index.ts';
import { takeItems, type WriteClaim, writeQueue } from './claim-store.ts';
import { countWriteBacks, listWriteAttempts } from './index.ts';
import { writing } from './record-writer.ts';

const { pool } = await setupDatabase();

const faults: [name: string, fault: Fault, outcome: string][] = [
  ['500 after effect', { fault: 'status', status: 500, times: 1 }, 'server_error'],
  ['500 before effect', { fault: 'status', status: 500, times: 1, when: 'before_effect' }, 'server_error'],
  ['no answer after effect', { fault: 'timeout', times: 1 }, 'timeout'],
  ['cut before the headers', { fault: 'reset', at: 'before_headers', times: 1 }, 'cut'],
  ['cut in the headers', { fault: 'reset', at: 'in_headers', times: 1 }, 'cut'],
  ['cut in the body', { fault: 'reset', at: 'in_body', times: 1 }, 'cut'],
  ['200 with an error object', { fault: 'error_body', times: 1, when: 'before_effect' }, 'not_stored'],
  ['400', { fault: 'status', status: 400, times: 1, when: 'before_effect' }, 'rejected'],
  ['404', { fault: 'status', status: 404, times: 1, when: 'before_effect' }, 'unknown_player'],
  ['401', { fault: 'unauthorized', times: 1 }, 'unauthorized'],
  ['429', { fault: 'status', status: 429, times: 1, when: 'before_effect' }, 'rate_limited'],
  ['an answer of a few bytes a second', { fault: 'drip', bytes_per_second: 10, times: 1 }, 'timeout'],
];

test.each(faults)('%s: retried until it is stored', async (_name, fault, outcome) => {
  const sync = await setupWrites(pool);
  sync.operator.dials.set('userconsents_write', { faults: [fault] });
  await change(sync, out('Email'));
  // On a busy machine the next try may be made before the first one is read.
  const first = async () => (await listWriteAttempts(pool, sync.player_id)).at(-1);
  await expect.poll(first, pollOptions).toMatchObject({ outcome });
  expect(await consent(sync)).toMatchObject({ opted_in: false });
  await hurry(sync);
  await untilState(sync, 'confirmed');
  expect(sync.operator.books.player('p-1')?.consents).toContainEqual({ type: 'Email', opted_in: false });
  expect(await listWriteAttempts(pool, sync.player_id)).toMatchObject([{ outcome: 'stored' }, { outcome }]);
});

test('types that the operator refuses together are sent one by one, so that one of them does not block the others', async () => {
  const sync = await setupWrites(pool);
  const refusal = { fault: 'status', status: 400, when: 'before_effect', times: 2 } as const;
  sync.operator.dials.set('userconsents_write', { faults: [refusal] });
  await change(sync, out('Email'), out('SMS'));
  await untilState(sync, 'confirmed', 'SMS');
  expect(await untilState(sync, 'pending', 'Email')).toMatchObject({ failure: 'rejected', attempts: 1 });
  expect(writesOf(sync).map(({ body }) => (body as { consents: object[] }).consents.length)).toEqual([2, 1, 1]);
});

test('a refusal after an outage waits like a first refusal', async () => {
  const sync = await setupWrites(pool, { started: false });
  const refusal = { fault: 'status', status: 400, when: 'before_effect', times: 1 } as const;
  sync.operator.dials.set('userconsents_write', { faults: [refusal] });
  await change(sync, out('Email'));
  await pool.query(`update write_back_item set attempts = 5, failure = 'timeout' where player_id = $1`, [
    sync.player_id,
  ]);
  await sync.worker.start();
  await expect.poll(() => listWriteAttempts(pool, sync.player_id), pollOptions).toHaveLength(1);
  expect(await untilState(sync, 'pending')).toMatchObject({ failure: 'rejected', attempts: 6 });
  const { rows } = await pool.query<{ hours: number }>(
    'select extract(epoch from due_at - now())::float8 / 3600 as hours from write_back_item where player_id = $1',
    [sync.player_id],
  );
  expect(rows[0]?.hours).toBeLessThan(1.2);
});

describe('a worker that dies', () => {
  /** Takes the items of a claim that holds for this many milliseconds, as a worker does. */
  async function claimFor({ brand }: WriteSetup, claim_ms: number) {
    const wanted = [{ brand_id: brand.brand_id, record: 'consents', free: 1, claim_ms }] as const;
    const [claim] = await writeQueue.claim(pool, wanted);
    if (claim === undefined) throw new Error('nothing was due');
    return claim;
  }

  test("between the 200 and storing the outcome: the write is made again, and the operator's records stay the same", async () => {
    const sync = await setupWrites(pool, { started: false });
    await change(sync, out('Email'));
    const claim = await claimFor(sync, 50);
    const [item] = (await takeItems(pool, claim)) ?? [];
    const body = { consents: [{ type: item?.type, opted_in: item?.wanted }] };
    await sync.worker.clients.of(sync.brand)?.call({ method: 'POST', path: ['userconsents', 'p-1'], body });
    await sync.worker.start();
    await untilState(sync, 'confirmed');
    expect(sync.operator.books.writeBacks.map((one) => one.body)).toEqual([body, body]);
  });

  /** Carries out a claim as a worker does that was stopped for this long after it claimed. */
  function carryOutAs(
    { brand, worker }: WriteSetup,
    claim: WriteClaim,
    { lateMs = 0, afterCall }: { lateMs?: number; afterCall?: () => Promise<unknown> },
  ) {
    const { clients, health } = worker;
    const spec = writing({ pool, clients, health, clock: systemClock, log: testLog, brands: { all: () => [brand] } });
    const send: typeof spec.send = async (open, sendCheck) => {
      const answer = await spec.send(open, sendCheck);
      await afterCall?.();
      return answer;
    };
    return carryOut(
      claim,
      { ...spec, send },
      {
        log: testLog,
        claimedAt: performance.now() - lateMs,
        signal: new AbortController().signal,
        freeSlot: () => {},
        holdsFor: (ms) => writeQueue.holdsFor(pool, claim, ms),
      },
    );
  }

  test('stopped during its call and resumed: it writes nothing', async () => {
    const sync = await setupWrites(pool, { started: false });
    await change(sync, out('Email'));
    const runOut = () => pool.query('update write_back set due_at = now() where player_id = $1', [sync.player_id]);
    expect(await carryOutAs(sync, await claimFor(sync, 60_000), { afterCall: runOut })).toEqual(lost);
    expect((await untilState(sync, 'sending')).stored_at).toBeNull();
    expect(await listWriteAttempts(pool, sync.player_id)).toEqual([]);
  });

  test('stopped before its call and resumed: it makes no call', async () => {
    const sync = await setupWrites(pool, { started: false, settings: { call_timeout_ms: 10_000 } });
    await change(sync, out('Email'));
    // The call may take longer than the rest of the claim.
    expect(await carryOutAs(sync, await claimFor(sync, 5_000), { lateMs: 3_000 })).toEqual(lost);
    expect(writesOf(sync)).toEqual([]);
  });
});

test('writes to one operator never wait for another operator that does not answer', async () => {
  const dead = await setupWrites(pool, { started: false, settings: { call_timeout_ms: 5_000 } });
  const alive = await setupWrites(pool, { started: false });
  dead.operator.dials.set('userconsents_write', { faults: [{ fault: 'timeout' }] });
  const players = await Promise.all(Array.from({ length: 50 }, (_, n) => dead.addPlayer(`dead-${n}`)));
  for (const player_id of players) await change({ ...dead, player_id }, out('Email'));
  const both = makeWorker(pool, [dead.brand, alive.brand], 0);
  await both.start();
  await expect.poll(() => writesOf(dead).length, pollOptions).toBeGreaterThan(3);
  await change(alive, out('Email'));
  await untilState(alive, 'confirmed');
  // Four calls run at a time, each until its timeout, so most of them have not been tried yet.
  expect(writesOf(dead).length).toBeLessThan(players.length / 2);
  await both.stop();
  expect((await countWriteBacks(pool, dead.brand.brand_id)).waiting).toBe(50);
});
