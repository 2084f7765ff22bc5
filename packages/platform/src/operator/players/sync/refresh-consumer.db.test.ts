import type { EventKind, PlatformEvent } from '@croupier/contracts';
import { describe, expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import { noon } from '../../../../testing/clock.ts';
import { setupDatabase } from '../../../../testing/database.ts';
import { insertPlayer } from '../../../../testing/operator/setup-sync.ts';
import { transaction } from '../../../database/index.ts';
import type { ConsumedEvent, Verdict } from '../../../derive/index.ts';
import { RefreshConsumer } from './refresh-consumer.ts';

const { pool } = await setupDatabase();
const { brand } = await createBrand(pool);
const brand_id = brand.brand_id;

const minute = 60_000_000;
let players = 0;

/** Adds a player whose rows are settled as after a first refresh, or a new player without rows. */
async function addPlayer(options: { isNew?: boolean } = {}): Promise<number> {
  const player_id = await insertPlayer(pool, brand_id, `p-${++players}`);
  if (!options.isNew) {
    await pool.query(
      `insert into player_sync (player_id, look_up, brand_id, lane, requested, done, as_of)
       select $1, look_up, $2, 0, 1, 1, now() from unnest('{details,consents,blocks}'::text[]) look_up`,
      [player_id, brand_id],
    );
  }
  return player_id;
}

function event(
  player_id: number,
  kind: EventKind,
  options: { verdict?: Verdict; late_minutes?: number; is_impersonated?: boolean } = {},
): ConsumedEvent {
  const { verdict = 'applied', late_minutes = 0, ...fields } = options;
  return {
    player_id,
    brand_id,
    user_id: 'p',
    event: { kind, user_id: 'p', timestamp: noon - late_minutes * minute, ...fields } as PlatformEvent,
    received_at: noon,
    verdict,
    position: { writer_id: 1, seq: 1, index: 0 },
  };
}

async function consume(
  events: ConsumedEvent[],
  consumer = new RefreshConsumer({ brands: { byId: () => brand }, wake() {} }),
) {
  await transaction(pool, (tx) => consumer.onBatch(tx, { applied: events }));
  return consumer;
}

/** The due look-ups of a player: `look_up requests lane`. */
async function due(player_id: number): Promise<string[]> {
  const { rows } = await pool.query<{ look_up: string; asked: number; lane: number }>(
    `select look_up, requested - done as asked, lane from player_sync
      where player_id = $1 and requested > done and due_at is not null order by look_up`,
    [player_id],
  );
  return rows.map(({ look_up, asked, lane }) => `${look_up} ${asked} ${lane === 0 ? 'live' : 'background'}`);
}

const all = (times: number, lane = 'live') =>
  ['blocks', 'consents', 'details'].map((lookUp) => `${lookUp} ${times} ${lane}`);

test.each<[kind: EventKind, expected: string[]]>([
  ['registration', all(1)],
  ['login', all(1)],
  ['user_update', all(1)],
  ['consents_update', ['consents 1 live']],
  ['blocks_update', ['blocks 1 live']],
  ['payment', []],
  ['casino', []],
  ['logout', []],
])('%s of a known player requests only the look-ups that it concerns', async (kind, expected) => {
  const player = await addPlayer();
  await consume([event(player, kind)]);
  expect(await due(player)).toEqual(expected);
});

test('any event of a new player requests all look-ups, once', async () => {
  for (const kind of ['casino', 'payment', 'consents_update', 'registration'] as const) {
    const player = await addPlayer({ isNew: true });
    await consume([event(player, kind)]);
    expect(await due(player)).toEqual(all(1));
  }
  const orphaned = await addPlayer({ isNew: true });
  const consumer = await consume([event(orphaned, 'payment', { verdict: 'orphan' })]);
  await consume([event(orphaned, 'payment'), event(orphaned, 'casino')], consumer);
  expect(await due(orphaned)).toEqual(all(1));
});

test('repeats request nothing; an impersonated login does request', async () => {
  const player = await addPlayer();
  await consume([event(player, 'login', { verdict: 'repeat' }), event(player, 'user_update', { verdict: 'too_old' })]);
  expect(await due(player)).toEqual([]);
  await consume([event(player, 'login', { is_impersonated: true })]);
  expect(await due(player)).toEqual(all(1));
});

describe('an event that looks like an earlier one may be another, so it requests look-ups', () => {
  const answered = (player: number) =>
    pool.query('update player_sync set done = requested, due_at = null where player_id = $1', [player]);

  test('two of one kind and second, with the answer between them', async () => {
    const player = await addPlayer();
    await consume([event(player, 'blocks_update')]);
    await answered(player);
    await consume([event(player, 'blocks_update')]);
    expect(await due(player)).toEqual(['blocks 1 live']);
  });

  test('a batch that ends with a retry of the event that made the last request', async () => {
    const player = await addPlayer();
    await consume([event(player, 'blocks_update', { late_minutes: 1 })]);
    await answered(player);
    await consume([event(player, 'blocks_update'), event(player, 'blocks_update', { late_minutes: 1 })]);
    expect(await due(player)).toEqual(['blocks 1 live']);
  });
});

test('many events of one batch make one request', async () => {
  const player = await addPlayer();
  await consume([event(player, 'login'), event(player, 'user_update'), event(player, 'consents_update')]);
  expect(await due(player)).toEqual(all(1));
});

test('look-ups for an import are made in the background, unless a live event requests the same', async () => {
  const player = await addPlayer();
  await consume([event(player, 'login', { late_minutes: 31 })]);
  expect(await due(player)).toEqual(all(1, 'background'));
  await consume([event(player, 'blocks_update', { late_minutes: 29 })]);
  expect(await due(player)).toEqual(['blocks 2 live', 'consents 1 background', 'details 1 background']);
});

test('a batch that is rolled back leaves nothing, and its new players remain new', async () => {
  const player = await addPlayer({ isNew: true });
  const consumer = new RefreshConsumer({ brands: { byId: () => brand }, wake() {} });
  const batch = { applied: [event(player, 'casino')] };
  await expect(
    transaction(pool, async (tx) => {
      await consumer.onBatch(tx, batch);
      throw new Error('fenced off');
    }),
  ).rejects.toThrow('fenced off');
  expect(await due(player)).toEqual([]);
  await consume(batch.applied, consumer);
  expect(await due(player)).toEqual(all(1));
});
