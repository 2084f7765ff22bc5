import type { Micros } from '@croupier/contracts';
import { expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { testLog } from '../../../testing/log.ts';
import { setupSite } from '../../../testing/site/setup-site.ts';
import { BucketLeases } from '../../buckets/index.ts';
import type { SignalSender } from '../../channels/index.ts';
import { connectionConfig, timestamptzText } from '../../database/index.ts';
import { DeriveWorker } from '../../derive/index.ts';
import { playerHash } from '../../ledger/index.ts';
import { PostgresLedger } from '../../ledger/postgres.ts';
import { LogoutConsumer } from './logout-consumer.ts';

const database = await setupDatabase();
const { pool, url } = database;
type SignalHint = Parameters<SignalSender['poke']>[0][number];
const day: Micros = 24 * 3_600_000_000;

/** A site, and a worker that derives the logouts that the operator publishes. */
async function setup() {
  const site = await setupSite(database);
  const poked: SignalHint[] = [];
  const ledger = new PostgresLedger({
    pool,
    connection: connectionConfig(url, { name: 'test' }),
    process: 'test',
    now: site.clock.now,
    log: testLog,
    ready: async () => {},
  });
  const leases = new BucketLeases({ pool, process: 'test', beginning: ledger.beginning, log: testLog });
  const { brands, clock } = site;
  const signals = { poke: (written: readonly SignalHint[]) => void poked.push(...written) };
  const consumers = [new LogoutConsumer({ brands, signals })];
  const worker = new DeriveWorker({ pool, ledger, leases, brands, clock: clock.now, log: testLog, consumers });
  await leases.runOnce();
  return {
    site,
    poked,
    /** The operator publishes a logout at this time, and the worker derives it. */
    async logout(userId: string, at: Micros) {
      const { brand_id } = site.brand;
      const body = { user_id: userId, timestamp: new Date(at / 1_000).toISOString() };
      await new Promise<void>((resolve, reject) =>
        site.committer.add(
          {
            brand_id,
            kind: 'logout',
            player_hash: playerHash(brand_id, userId),
            received_at: clock.now(),
            body: Buffer.from(JSON.stringify(body)),
          },
          (refusal) => (refusal ? reject(new Error(refusal)) : resolve()),
        ),
      );
      while ((await worker.runOnce()).moved > 0);
    },
  };
}

const { site, poked, logout } = await setup();

const statusOf = async (as: string) => (await site.post('/Platform/LoginAuthToken', as)).status;

test("the operator's logout ends the player's tokens when it is derived, once, and no other player's", async () => {
  const [anna, ben] = [await site.token(site.signIn('anna')), await site.token(site.signIn('ben'))];
  const at = site.clock.now();
  await logout('anna', at);
  expect([await statusOf(anna), await statusOf(ben)]).toEqual([401, 200]);
  const player_id = await site.playerId('anna');
  expect(poked).toMatchObject([{ kind: 'one_session_ended', player_id, message_id: null }]);
  const { rows } = await pool.query('select ended_at = $2 as same from site_session_end where player_id = $1', [
    player_id,
    timestamptzText(at),
  ]);
  expect(rows).toEqual([{ same: true }]);

  // Anna signs in again. The operator repeats its event, because it got no answer.
  const again = await site.token(site.signIn('anna', 'anna-again'));
  await logout('anna', at);
  expect(await statusOf(again)).toBe(200);
  expect(poked).toHaveLength(1);
});

test('a logout with a time ahead of the clock counts as of now, so that the next sign-in is later', async () => {
  const token = await site.token(site.signIn('dora'));
  await logout('dora', site.clock.now() + 60_000_000);
  expect(await statusOf(token)).toBe(401);
  const { rows } = await pool.query('select ended_at = $2 as same from site_session_end where player_id = $1', [
    await site.playerId('dora'),
    timestamptzText(site.clock.now()),
  ]);
  expect(rows).toEqual([{ same: true }]);
});

test('old logouts from an import end nothing', async () => {
  const before = poked.length;
  const token = await site.token(site.signIn('carl'));
  await logout('carl', site.clock.now() - day - 1_000_000);
  expect(await statusOf(token)).toBe(200);
  await logout('carl', site.clock.now() - day);
  expect(await statusOf(token)).toBe(401);
  expect(poked).toHaveLength(before + 1);
});
