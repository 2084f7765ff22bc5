import type { PlatformEvent } from '@croupier/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import { noon } from '../../../../testing/clock.ts';
import { setupDatabase } from '../../../../testing/database.ts';
import { insertPlayer } from '../../../../testing/operator/setup-sync.ts';
import { databaseTime, transaction } from '../../../database/index.ts';
import { requestRefresh } from '../reading/refresh.ts';
import { type LookUpClaim, lockHeldClaims, lookUpQueue, settle } from './claim-store.ts';
import { lanes } from './lane.ts';
import { RefreshConsumer } from './refresh-consumer.ts';
import { requestLookUps } from './request-store.ts';

const { pool } = await setupDatabase();
const { brand } = await createBrand(pool);
const { brand_id } = brand;

/*
 * Events, manual requests, look-ups, failures and worker crashes interleave at random. A look-up that begins after the last
 * request is always made. Each player has one open look-up at a time. Requests made while it is open cost one further look-up
 * in all, not one each. Kinds and times of the events are few, so that most runs have batches with retries of earlier events
 * and different events of one second. Such events cannot be distinguished, so each of them is a request.
 */
interface BlocksEvent {
  player: number;
  kind: 'login' | 'blocks_update';
  second: number;
  is_import: boolean;
}
type Step =
  | { do: 'events'; events: BlocksEvent[] }
  | { do: 'request'; player: number }
  | { do: 'claim'; count: number }
  | { do: 'succeed' | 'fail' | 'die'; which: number }
  /** Everything due is looked up; no player may be left out. */
  | { do: 'rest' };

const event: fc.Arbitrary<BlocksEvent> = fc.record({
  player: fc.nat(1),
  kind: fc.constantFrom('login', 'blocks_update'),
  second: fc.nat(1),
  is_import: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('events' as const),
      events: fc.array(event, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('request' as const), player: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('claim' as const), count: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('succeed' as const, 'fail' as const, 'die' as const),
      which: fc.nat(3),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rest' as const) }) },
);

test('the last request is never dropped, and many requests share one further look-up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      await pool.query('delete from player_sync');
      await pool.query('delete from player');
      const players = [await insertPlayer(pool, brand_id, 'a'), await insertPlayer(pool, brand_id, 'b')];
      const run = makeRun(players);
      for (const one of steps) await run.take(one);
      await run.take({ do: 'rest' });
    }),
    { numRuns: 60 },
  );
}, 60_000);

function makeRun(players: readonly number[]) {
  let time = 0;
  const consumer = new RefreshConsumer({ brands: { byId: () => brand }, wake() {} });
  const running: { claim: LookUpClaim; begun: number }[] = [];
  const requestedAt = new Map<number, number>();
  const answeredFrom = new Map<number, number>();
  /** Players for whom something happened since their last look-up began. Only they may get a further one. */
  const owed = new Set<number>();

  async function consume(events: readonly BlocksEvent[]): Promise<void> {
    const applied = events.map(({ player, kind, second, is_import }) => ({
      player_id: players[player] ?? 0,
      brand_id,
      user_id: 'p',
      event: { kind, user_id: 'p', timestamp: noon + second * 1_000_000 } as PlatformEvent,
      received_at: is_import ? noon + 3_600_000_000 : noon,
      verdict: 'applied' as const,
      position: { writer_id: 1, seq: 1, index: 0 },
    }));
    await transaction(pool, (tx) => consumer.onBatch(tx, { applied }));
    for (const { player_id } of applied) requested(player_id);
  }

  async function request(player_id: number): Promise<void> {
    await requestRefresh(pool, { player_id, brand_id }, ['blocks']);
    requested(player_id);
  }

  function requested(player: number): void {
    requestedAt.set(player, ++time);
    owed.add(player);
  }

  async function claim(count: number): Promise<void> {
    const key = { brand_id, look_up: 'blocks' as const, free: count, claim_ms: 60_000, overdue: true };
    const claims = await lookUpQueue.claim(pool, [
      { ...key, lane: lanes.live },
      { ...key, lane: lanes.background },
    ]);
    for (const one of claims) {
      expect(running.map(({ claim }) => claim.player_id)).not.toContain(one.player_id);
      expect(owed.delete(one.player_id)).toBe(true);
      running.push({ claim: one, begun: ++time });
    }
  }

  async function end(how: 'succeed' | 'fail' | 'die', which: number): Promise<void> {
    const [ended] = running.splice(which % Math.max(running.length, 1), 1);
    if (ended === undefined) return;
    const { claim, begun: from } = ended;
    const { player_id, look_up, request } = claim;
    if (how === 'die') {
      await pool.query('update player_sync set due_at = now() where player_id = $1', [player_id]);
      owed.add(player_id);
      return;
    }
    await transaction(pool, async (tx) => {
      expect((await lockHeldClaims(tx, [claim])).held).toHaveLength(1);
      const failed = {
        failure: 'timeout',
        detail: '',
        failed_at: time,
        tries: 1,
        delay_ms: 0,
        parked: false,
        to_background: true,
      } as const;
      const settlement = { player_id, look_up, request, ...(how === 'succeed' ? { as_of: time } : failed) };
      await settle(tx, [settlement], await databaseTime(tx));
    });
    if (how === 'succeed') answeredFrom.set(player_id, from);
    else owed.add(player_id);
  }

  async function rest(): Promise<void> {
    for (let left = 100; left > 0; left--) {
      await claim(10);
      if (running.length === 0) break;
      while (running.length > 0) await end('succeed', 0);
    }
    expect(running).toEqual([]);
    for (const [player, at] of requestedAt) expect(answeredFrom.get(player)).toBeGreaterThan(at);
  }

  return {
    async take(one: Step): Promise<void> {
      if (one.do === 'events') await consume(one.events);
      else if (one.do === 'request') await request(players[one.player] ?? 0);
      else if (one.do === 'claim') await claim(one.count);
      else if (one.do === 'rest') await rest();
      else await end(one.do, one.which);
    },
  };
}

test('many requests during one look-up share one further look-up', async () => {
  await pool.query('delete from player_sync');
  const player_id = await insertPlayer(pool, brand_id, 'burst');
  const request = { player_id, brand_id, look_up: 'blocks' as const, lane: lanes.live };
  const wanted = { ...request, free: 5, claim_ms: 60_000, overdue: false };
  const claimOne = async () => {
    const claims = await lookUpQueue.claim(pool, [wanted]);
    expect(claims.length).toBeLessThanOrEqual(1);
    return claims[0];
  };
  const succeed = async (claim: LookUpClaim | undefined) => {
    if (claim) await transaction(pool, async (tx) => settle(tx, [{ ...claim, as_of: 1 }], await databaseTime(tx)));
  };
  await requestLookUps(pool, [request, request, request]);
  const first = await claimOne();
  for (let n = 0; n < 20; n++) await requestLookUps(pool, [request]);
  expect(await claimOne()).toBeUndefined();
  await succeed(first);
  const second = await claimOne();
  expect(second).toMatchObject({ request: 21 });
  await succeed(second);
  expect(await claimOne()).toBeUndefined();
});
