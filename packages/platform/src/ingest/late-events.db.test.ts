import { expect, test } from 'vitest';
import { createBrand, testVault } from '../../testing/brand.ts';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import { bucketOf, type LedgerEntry, playerHash } from '../ledger/index.ts';
import { LateEvents } from './late-events.ts';
import { receive, type Verdict } from './receive.ts';

const { pool } = await setupDatabase();
const { brand } = await createBrand(pool);
const late = new LateEvents({ pool, keys: testVault, log: testLog });
const added: LedgerEntry[] = [];
const retained: (string | null)[] = [];
const deps = {
  late,
  log: testLog,
  now: () => Date.UTC(2026, 4, 1) * 1000,
  committer: {
    add(entry: LedgerEntry, done: () => void) {
      added.push(entry);
      done();
    },
  },
  quarantine: {
    async keep(...[, , , , user]: unknown[]) {
      retained.push(user as string | null);
      return 'refuse';
    },
  },
} as unknown as Parameters<typeof receive>[0];

const send = (body: unknown) =>
  new Promise<Verdict['outcome']>((done) =>
    receive(deps, brand, 'login', Buffer.from(JSON.stringify(body)), ({ outcome }) => done(outcome)),
  );

test("events of an erased player are answered and counted but not stored, valid or not; other players' events are stored", async () => {
  const login = (user_id: string) => ({ user_id, timestamp: '2026-04-30T12:00:00Z' });
  await late.start();
  expect(await send(login('ann'))).toBe('accepted');
  const hash = playerHash(brand.brand_id, 'ann');
  await pool.query(
    `with moved as (update erasure_epoch set epoch = epoch + 1)
     insert into erased_user (user_key, brand_id, bucket, erased_at, until) values (decode($1, 'base64'), $2, $3, now(), now())`,
    [testVault.erasureKey(brand.brand_id, hash), brand.brand_id, bucketOf(hash)],
  );
  await late.runOnce();
  expect(await send(login('ann'))).toBe('accepted');
  expect(await send({ user_id: 'ann' })).toBe('quarantined');
  expect(await send({ user_id: ' ann\u00a0' })).toBe('quarantined');
  expect(await send(login('bob'))).toBe('accepted');
  expect(await send({ user_id: 'bob' })).toBe('refused');
  expect(added).toHaveLength(2);
  expect(retained).toEqual(['bob']);
  // The database refuses the counts of this round. The next round writes them.
  await pool.query('alter table erased_user rename to away');
  await expect(late.runOnce()).rejects.toThrow('erased_user');
  await pool.query('alter table away rename to erased_user');
  await late.stop();
  expect((await pool.query('select dropped from erased_user')).rows).toEqual([{ dropped: 3 }]);
});
