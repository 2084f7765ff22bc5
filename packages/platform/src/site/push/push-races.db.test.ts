import type { PoolClient } from 'pg';
import { expect, test } from 'vitest';
import { makeReachable, testPush, writeMessage } from '../../../testing/channels/push/setup-push.ts';
import { startPushService } from '../../../testing/channels/push/setup-push-service.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { testLog } from '../../../testing/log.ts';
import { setupSite } from '../../../testing/site/setup-site.ts';
import { dropAtLogout, dropSubscriptions } from '../../channels/push/drop.ts';
import { transaction } from '../../database/index.ts';
import { Gate } from '../../gate/index.ts';
import { PostgresLedger } from '../../ledger/postgres.ts';
import { takeStep } from '../../privacy/erase-player.ts';
import { claimErasures } from '../../privacy/erasure-store.ts';
import { requestErasure } from '../../privacy/index.ts';
import { endSessions } from '../session/end-store.ts';

/* Runs calls of push concurrently with other changes of the same player. Each side is paused at its most critical point. */
const { pool, url } = await setupDatabase();
const service = await startPushService();
const site = await setupSite({ pool, url }, { settings: { push: { private_origins: [service.origin] } } });
const { brand_id } = site.brand;
await service.stop();

async function arrive(userId: string): Promise<{ token: string; player_id: number }> {
  const token = await site.token(site.signIn(userId));
  return { token, player_id: (await site.playerId(userId)) ?? 0 };
}

const subscribe = (token: string) => site.post('/Crm/PushSubscription', token, { Subscription: service.device() });

async function devicesOf(playerId: number): Promise<number> {
  const { rows } = await pool.query('select from push_subscription where player_id = $1', [playerId]);
  return rows.length;
}

/** Resolves once this many connections wait for locks, or once `work` is done and therefore cannot wait. */
const waitingOr = (count: number, work: Promise<unknown>) => {
  let isDone = false;
  const noted = work.then(() => {
    isDone = true;
  });
  const waiting = async () => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return isDone || rows.length >= count;
  };
  return Promise.race([noted, expect.poll(waiting, { interval: 5 }).toBe(true)]);
};

/** Holds the locks that `sql` takes on a row while `work` runs. */
async function whileLocked(sql: string, id: number, work: (holder: PoolClient) => Promise<void>): Promise<void> {
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    await holder.query(sql, [id]);
    await work(holder);
    await holder.query('commit');
  } finally {
    holder.release();
  }
}

const exclude = (player_id: number) =>
  transaction(pool, async (tx) => {
    await endSessions(tx, [{ brand_id, player_id, sid_hash: '', at: site.clock.now() }]);
    await dropSubscriptions(tx, [player_id], site.clock.now());
  });

/** Makes the player unknown, as an erasure does. */
async function erase(user_id: string, player_id: number): Promise<void> {
  const at = site.clock.now();
  await requestErasure(pool, site.brands, { brand_id, player_id, user_id, forced: true, at });
  const [claimed] = await claimErasures(pool, at, at + 60_000_000);
  if (claimed === undefined) throw new Error('there is no erasure to begin');
  const ledger = new PostgresLedger({
    pool,
    connection: {},
    process: 'test',
    now: site.clock.now,
    log: testLog,
    ready: async () => {},
  });
  expect(await takeStep({ pool, ledger, brands: site.brands }, claimed, at)).toMatchObject({ next: 'ledger' });
}

test.each([
  ['a logout', 'anna', (token: string) => site.post('/Crm/Logout', token)],
  ['an exclusion', 'ben', (_: string, playerId: number) => exclude(playerId)],
  ['an erasure', 'eric', (_: string, playerId: number) => erase('eric', playerId)],
])('%s removes a device that is being subscribed concurrently', async (_, userId, end) => {
  const { token, player_id } = await arrive(userId);
  const open: Promise<unknown>[] = [];
  await whileLocked('select from player where player_id = $1 for update', player_id, async () => {
    const subscribing = subscribe(token);
    await waitingOr(1, subscribing);
    const ending = end(token, player_id);
    await waitingOr(2, ending);
    open.push(subscribing, ending);
  });
  await Promise.all(open);
  expect(await devicesOf(player_id)).toBe(0);
});

test('a device that is subscribed while an end is not committed yet finds its session ended', async () => {
  const { token, player_id } = await arrive('carl');
  const at = site.clock.now();
  const subscribing = await transaction(pool, async (tx) => {
    await endSessions(tx, [{ brand_id, player_id, sid_hash: '', at }]);
    await dropAtLogout(tx, [{ player_id, sid_hash: '', at }]);
    const answer = subscribe(token);
    await waitingOr(1, answer);
    // Wrapped in an object: a returned promise would be awaited before the commit.
    return { answer };
  });
  expect(await subscribing.answer).toMatchObject({ status: 401, body: { Errors: [{ Error: 'session_ended' }] } });
  expect(await devicesOf(player_id)).toBe(0);
});

test('a click concurrent with a withdrawal waits for the message, and holds no lock that the withdrawal needs next', async () => {
  const { token, player_id } = await arrive('dora');
  await subscribe(token);
  // Replaces the look-ups that a player's first call requests.
  await pool.query('delete from player_sync where player_id = $1', [player_id]);
  await makeReachable(pool, brand_id, player_id, site.clock.now());
  const gate = new Gate({ clock: site.clock.now, brands: { byId: () => site.brand } });
  const id = await writeMessage(pool, gate, { brand_id, player_id }, site.clock.now());
  const { rows } = await pool.query<{ delivery_id: number }>(
    'select delivery_id from push_delivery where message_id = $1',
    [id],
  );
  const Token = testPush({ pool, clock: site.clock.now }).tokens.write('click', brand_id, rows[0]?.delivery_id ?? 0);
  const open: Promise<unknown>[] = [];
  await whileLocked('select from notification where message_id = $1 for update', id, async (holder) => {
    const pressing = site.call('POST', '/Crm/PushClicked', { body: { Token } });
    await waitingOr(1, pressing);
    await holder.query('select from push_delivery where message_id = $1 for update nowait', [id]);
    open.push(pressing);
  });
  expect(await Promise.all(open)).toMatchObject([{ status: 200 }]);
  const { rows: after } = await pool.query(
    `select d.clicked_at is not null and n.clicked_at is not null and n.read_at is not null as noted
       from push_delivery d join notification n using (message_id)
      where message_id = $1`,
    [id],
  );
  expect(after).toEqual([{ noted: true }]);
});

test('if two devices get one endpoint at once, the second gets the answer that it is no longer known', async () => {
  const { token, player_id } = await arrive('emil');
  const tokens = [await subscribe(token), await subscribe(token)].map(({ body }) => body.Data.Token as string);
  const Subscription = service.device();
  const renew = (Token = '') => site.call('POST', '/Crm/PushRenewed', { body: { Token, Subscription } });
  const open: Promise<{ status: number }>[] = [];
  // Both pass the check that no other device has the endpoint, and then wait for the devices' rows.
  await whileLocked('select from push_subscription where player_id = $1 for update', player_id, async () => {
    for (const Token of tokens) open.push(renew(Token));
    await waitingOr(2, Promise.all(open));
  });
  const answers = await Promise.all(open);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(await devicesOf(player_id)).toBe(2);
});
