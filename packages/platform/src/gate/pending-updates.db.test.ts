import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paymentBody, setupStage } from '../../testing/derive/stage.ts';
import { makeKnown } from '../../testing/gate/setup-gate.ts';
import { insertPlayer } from '../../testing/operator/setup-sync.ts';
import { timestamptzText, transaction } from '../database/index.ts';
import type { DeriveConsumer } from '../derive/index.ts';
import { bucketOf, holdQuarantined, playerHash } from '../ledger/index.ts';
import { RefreshConsumer } from '../operator/players/index.ts';
import { type ContactRequest, Gate, isUnsettled, type Purpose, purposes } from './index.ts';
import { explain } from './reading/explain.ts';

/*
 * Tests P15, from the append of an event to the ledger until the answer of its look-up. The event is answered 200 after the append. The
 * ledger, derive, the consumer that requests look-ups and the gate are real. The answers are written by the test.
 */
const poisoned = new Set<string>();
const poison: DeriveConsumer = {
  async onBatch(tx, { applied }) {
    if (applied.some(({ user_id }) => poisoned.has(user_id))) await tx.query('select 1 / 0');
  },
};
const stage = await setupStage({
  brand: { history_days: 30 },
  consumers: [poison, new RefreshConsumer({ brands: { byId: () => stage.brand }, wake() {} })],
});
const { pool, brand, brands, clock, publish, derive } = stage;
const gate = new Gate({ clock: clock.now, brands });
const { brand_id } = brand;
const day = 86_400_000_000;

const update = (
  user_id: string,
  kind: 'registration' | 'user_update' | 'consents_update' | 'blocks_update',
  at = clock.now(),
) => {
  return { kind, body: { user_id, timestamp: timestamptzText(at) } } as const;
};
const payment = (user_id: string) => ({ kind: 'payment', body: paymentBody({ user_id }) }) as const;
const login = (user_id: string) =>
  ({ kind: 'login', body: { user_id, timestamp: timestamptzText(clock.now()) } }) as const;

let causes = 0;
function contact(player_id: number, purpose: Purpose = 'marketing'): ContactRequest {
  const channel = purpose === 'bonus' ? 'bonus' : 'email';
  return { brand_id, player_id, channel, purpose, expires_at: null, cause: { kind: 'message', id: `p15 ${++causes}` } };
}

async function verdict(player_id: number, purpose?: Purpose): Promise<string> {
  const [decision] = await transaction(pool, (tx) => gate.mayContact(tx, [contact(player_id, purpose)]));
  return decision?.outcome === 'allowed' ? 'allowed' : `${decision?.outcome} ${decision?.reason}`;
}
const verdicts = async (player_id: number) => {
  const all: Record<string, string> = {};
  for (const purpose of purposes) all[purpose] = await verdict(player_id, purpose);
  return all;
};
const everywhere = (told: string) => Object.fromEntries(purposes.map((purpose) => [purpose, told]));

/** A player about whom everything is known and everything is permitted. */
async function known(userId: string): Promise<number> {
  const { rows } = await pool.query<{ player_id: number }>(
    'insert into player (brand_id, user_id, bucket) values ($1, $2, $3) returning player_id',
    [brand_id, userId, bucketOf(playerHash(brand_id, userId))],
  );
  const player_id = rows[0]?.player_id as number;
  await makeKnown(pool, brand_id, [player_id], timestamptzText(clock.now()));
  return player_id;
}

/** Simulates the answers to all pending look-ups. */
const answerLookUps = (player_id: number) =>
  pool.query('update player_sync set done = requested, as_of = $2, due_at = null where player_id = $1', [
    player_id,
    timestamptzText(clock.now()),
  ]);

async function pending(userId: string): Promise<number> {
  const hash = playerHash(brand_id, userId);
  const { rows } = await pool.query<{ events: number }>(
    'select count(*) as events from pending_protection where bucket = $1 and player_hash = $2',
    [bucketOf(hash), BigInt.asIntN(64, hash).toString()],
  );
  return rows[0]?.events ?? 0;
}

describe('after the 200 of an event that can change protection, every contact is held', () => {
  test.each(['registration', 'user_update', 'consents_update', 'blocks_update'] as const)(
    '%s: until it is applied, then until its look-up is answered',
    async (kind) => {
      const player = await known(`known-${kind}`);
      expect(await verdicts(player)).toEqual(everywhere('allowed'));
      await publish(login('somebody'), update(`known-${kind}`, kind), payment('somebody'));
      expect(await verdicts(player)).toEqual(everywhere('held update_pending'));
      await derive();
      expect(await pending(`known-${kind}`)).toBe(0);
      expect(await verdicts(player)).toEqual(everywhere('held outdated'));
      await answerLookUps(player);
      expect(await verdicts(player)).toEqual(everywhere('allowed'));
    },
  );

  test('only for that player; other events hold no player', async () => {
    const [excluded, other, busy] = [await known('one'), await known('other'), await known('busy')];
    await publish(update('one', 'blocks_update'), payment('busy'), login('busy'));
    expect(await verdict(excluded)).toBe('held update_pending');
    expect(await verdict(other)).toBe('allowed');
    expect(await verdict(busy)).toBe('allowed');
    await derive();
  });

  test('two updates of one player: applying the first does not end the hold', async () => {
    const player = await known('twice');
    await publish(update('twice', 'consents_update'));
    await derive();
    await publish(update('twice', 'blocks_update'));
    await answerLookUps(player);
    expect(await verdict(player)).toBe('held update_pending');
    await derive();
    expect(await verdict(player)).toBe('held outdated');
  });

  test('also after the first event of a player who does not exist yet', async () => {
    await publish(update('unborn', 'blocks_update'));
    // The player is created by something other than the event, such as a reconciliation.
    const player = await known('unborn');
    expect(await verdicts(player)).toEqual(everywhere('held update_pending'));
    await derive();
    expect(await verdicts(player)).toEqual(everywhere('held outdated'));
  });

  test('also after a second registration, whose verdict is repeat', async () => {
    const player = await known('again');
    const first = update('again', 'registration', clock.now() - day);
    await publish(first);
    await derive();
    await answerLookUps(player);
    expect(await verdict(player)).toBe('allowed');
    await publish(first);
    expect(await verdict(player)).toBe('held update_pending');
    await derive();
    expect(await verdict(player)).toBe('held outdated');
  });

  test('also in a transaction that began before the event', async () => {
    const player = await known('late');
    await transaction(pool, async (tx) => {
      expect(await gate.mayContact(tx, [contact(player)])).toMatchObject([{ outcome: 'allowed' }]);
      await publish(update('late', 'blocks_update'));
      expect(await gate.mayContact(tx, [contact(player)])).toMatchObject([{ reason: 'update_pending' }]);
    });
    await derive();
  });

  test('an allowed contact is checked once more, right before it begins', async () => {
    const player = await known('last-look');
    const allowed = contact(player);
    expect(await gate.stillAllows(pool, allowed)).toBe(true);
    await publish(update('last-look', 'blocks_update'));
    expect(await gate.stillAllows(pool, allowed)).toBe(false);
    await derive();
    expect(await gate.stillAllows(pool, allowed)).toBe(false);
    await answerLookUps(player);
    expect(await gate.stillAllows(pool, allowed)).toBe(true);
  });
});

test('an update that cannot be applied holds until it can', async () => {
  const player = await known('poisoned');
  poisoned.add('poisoned');
  await publish(update('poisoned', 'blocks_update'), payment('healthy'));
  await derive();
  expect(await pending('poisoned')).toBe(1);
  expect(await verdict(player)).toBe('held update_pending');
  clock.advance(60_000_000);
  await stage.worker.retryOnce();
  expect(await verdict(player)).toBe('held update_pending');
  poisoned.clear();
  clock.advance(600_000_000);
  await stage.worker.retryOnce();
  expect(await pending('poisoned')).toBe(0);
  expect(await verdict(player)).toBe('held outdated');
});

describe('an update that no batch will apply: its look-ups are requested instead', () => {
  test('in the quarantine, answered 200', async () => {
    const player = await known('quarantined');
    const other = await known('not quarantined');
    await holdQuarantined(pool, [
      { quarantine_id: 1, brand_id, user_id: 'quarantined' },
      { quarantine_id: 2, brand_id, user_id: 'nobody we know' },
    ]);
    expect(await verdicts(player)).toEqual(everywhere('held update_pending'));
    expect(await verdict(other)).toBe('allowed');
    await stage.worker.retryOnce();
    expect([await pending('quarantined'), await pending('nobody we know')]).toEqual([0, 0]);
    expect(await verdicts(player)).toEqual(everywhere('held outdated'));
    await answerLookUps(player);
    expect(await verdict(player)).toBe('allowed');
  });

  const ruin = (user: string) => {
    const hash = playerHash(brand_id, user);
    return pool.query(
      `update ledger_block b set payload = '\\x07ff' from pending_protection p
        where p.bucket = $1 and p.player_hash = $2 and b.writer_id = p.writer_id and b.seq = p.seq`,
      [bucketOf(hash), BigInt.asIntN(64, hash).toString()],
    );
  };

  test('in a damaged block', async () => {
    const player = await known('in a damaged block');
    await publish(update('in a damaged block', 'blocks_update'));
    await ruin('in a damaged block');
    await derive();
    expect(await verdict(player)).toBe('held update_pending');
    await stage.worker.retryOnce();
    expect(await pending('in a damaged block')).toBe(0);
    expect(await verdict(player)).toBe('held outdated');
    await answerLookUps(player);
    expect(await verdict(player)).toBe('allowed');
    await pool.query('delete from ledger_damage');
  });

  test.each(['damaged', 'gone'] as const)('parked, and then %s', async (what) => {
    const user = `parked and ${what}`;
    const player = await known(user);
    poisoned.add(user);
    await publish(update(user, 'blocks_update'));
    await derive();
    poisoned.clear();
    if (what === 'damaged') await ruin(user);
    else
      await pool.query(
        'delete from ledger_block b using parked_event e where b.writer_id = e.writer_id and b.seq = e.seq and e.user_id = $1',
        [user],
      );
    clock.advance(60_000_000);
    await stage.worker.retryOnce();
    expect(await pending(user)).toBe(0);
    expect(await verdict(player)).toBe('held outdated');
    await answerLookUps(player);
    expect(await verdict(player)).toBe('allowed');
    await pool.query('delete from parked_event');
    await pool.query('delete from ledger_damage');
  });

  test('a worker that lost the bucket settles nothing', async () => {
    await known('lost');
    await holdQuarantined(pool, [{ quarantine_id: 3, brand_id, user_id: 'lost' }]);
    await pool.query('update bucket set fence = fence + 1');
    await expect(stage.worker.retryOnce()).rejects.toThrow('belong to another worker');
    await pool.query('update bucket set fence = fence - 1');
    expect(await pending('lost')).toBe(1);
    await stage.worker.retryOnce();
    expect(await pending('lost')).toBe(0);
  });
});

test('a batch that is rolled back leaves the update pending', async () => {
  const player = await known('fenced');
  await publish(update('fenced', 'user_update'));
  const { rows } = await pool.query('update bucket set fence = fence + 1 returning bucket, fence, worker_id');
  await expect(stage.worker.runOnce()).rejects.toThrow('belong to another worker');
  expect(await pending('fenced')).toBe(1);
  expect(await verdict(player)).toBe('held update_pending');
  expect(rows).toHaveLength(64);
  await pool.query('update bucket set fence = fence - 1');
  await derive();
  expect(await verdict(player)).toBe('held outdated');
});

describe('an update that is older than the history', () => {
  test("has no effect on facts, but requests the player's current state", async () => {
    const player = await known('ancient');
    await publish(update('ancient', 'blocks_update', clock.now() - 40 * day));
    expect(await verdict(player)).toBe('held update_pending');
    await derive();
    expect(await pending('ancient')).toBe(0);
    expect(await verdict(player)).toBe('held outdated');
    await answerLookUps(player);
    expect(await verdict(player)).toBe('allowed');
  });

  test('of an unknown player leaves nothing behind', async () => {
    await publish(update('ancient stranger', 'registration', clock.now() - 40 * day));
    await derive();
    expect(await pending('ancient stranger')).toBe(0);
  });
});

test('a held contact has a reason, and requests the look-ups once', async () => {
  const player = await known('asked-once');
  await publish(update('asked-once', 'blocks_update'));
  const owed = async () => {
    const { rows } = await pool.query(
      'select sum(requested - done)::int as owed from player_sync where player_id = $1',
      [player],
    );
    return rows[0].owed;
  };
  const asked = contact(player);
  for (let i = 0; i < 3; i++) {
    await transaction(pool, (tx) => gate.mayContact(tx, [asked]));
    expect(await owed()).toBe(i === 0 ? 3 : 0);
    // An answer that arrives while the update still waits does not end the hold.
    await answerLookUps(player);
  }
  const [explained] = await explain(pool, { brand_id, player_id: player }, { clock: clock.now, brands });
  expect(explained?.verdict).toMatchObject({ outcome: 'held', reason: 'update_pending' });
  expect(explained?.needs).toEqual([
    expect.stringContaining('an update of the player must be processed, and its look-up answered'),
  ]);
  await derive();
});

test('the database computes the hash of a player as ingest does', async () => {
  const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((name) => !name.includes('\0'));
  const users = [...new Set(fc.sample(names, 300))].map((name) => `hash ${name}`);
  await publish(...users.map((user_id) => update(user_id, 'blocks_update')));
  const ids: number[] = [];
  for (const user of users) ids.push(await insertPlayer(pool, brand_id, user));
  const decisions = await transaction(pool, (tx) =>
    gate.mayContact(
      tx,
      ids.map((id) => contact(id)),
    ),
  );
  expect(decisions.filter((one) => one.outcome !== 'held' || one.reason !== 'update_pending')).toEqual([]);
  const { rows } = await pool.query(
    `select count(*)::int as settled from unnest($1::bigint[]) as p (player_id) where not ${isUnsettled('p.player_id')}`,
    [ids],
  );
  expect(rows).toEqual([{ settled: 0 }]);
});
