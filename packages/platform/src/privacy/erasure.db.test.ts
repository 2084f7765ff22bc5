import { expect, test } from 'vitest';
import { deposit, none, setupHistory } from '../../testing/derive/history/history.ts';
import { testLog } from '../../testing/log.ts';
import { eraserOf, everyKind, fillTables, findTraces, traces } from '../../testing/privacy/setup-privacy.ts';
import { timestamptzText, transaction, vacuumTables } from '../database/index.ts';
import { readRollups, rollupDifferences } from '../derive/index.ts';
import { Gate, Sealer, verifyChain } from '../gate/index.ts';
import { playerHash } from '../ledger/index.ts';
import { takeStep } from './erase-player.ts';
import { claimErasures, noteTurn } from './erasure-store.ts';
import { readErasures, requestErasure } from './index.ts';

const stage = await setupHistory(2);
const { pool, clock, brand, brands, ledger, tell, nextDay, differences, playerId } = stage;
const poked: number[] = [];
const signals = {
  poke: (written: readonly { player_id: number }[]) => written.map((one) => poked.push(one.player_id)),
};
const eraser = eraserOf({ ...stage, signals });
const second = 1_000_000;
const day = 86_400 * second;
const [ann, bob] = [traces('ann'), traces('bob')];

const ask = (player_id: number, user_id: string, forced = false) =>
  requestErasure(pool, brands, { brand_id: brand.brand_id, player_id, user_id, forced, at: clock.now() });

/** Carries out all steps, including the minute for processes that are still handling the player. */
async function erase(): Promise<void> {
  await eraser.runOnce();
  clock.advance(60 * second);
  await eraser.runOnce();
}

async function latest() {
  const [erasure] = await readErasures(pool, brand.brand_id, { limit: 1 });
  return erasure;
}

const rollups = () =>
  readRollups(pool, brand.brand_id, {
    first: timestamptzText(clock.now() - 30 * day).slice(0, 10),
    last: timestamptzText(clock.now()).slice(0, 10),
  });

/** Makes a decision about each player, and seals the decisions. */
async function decide(...playerIds: number[]): Promise<void> {
  const gate = new Gate({ clock: clock.now, brands });
  await transaction(pool, (tx) =>
    gate.mayContact(
      tx,
      playerIds.map((player_id) => ({
        brand_id: brand.brand_id,
        player_id,
        channel: 'email',
        purpose: 'marketing',
        expires_at: null,
        cause: { kind: 'message', id: `m-${player_id}` },
      })),
    ),
  );
  await new Sealer({ pool, clock: clock.now, log: testLog }).runOnce();
}

const eventsOf = async (user_id: string) => {
  const events = [];
  for await (const page of ledger.history({
    brand_id: brand.brand_id,
    player_hash: playerHash(brand.brand_id, user_id),
  })) {
    events.push(...page);
  }
  return events.length;
};

test('P14: an erasure leaves no personal data of the player anywhere, and keeps counts', {
  timeout: 60_000,
}, async () => {
  // Three days: the first is sealed into the baseline and dropped, the next packed, today's in blocks.
  for (let i = 0; i < 3; i++) {
    await tell(...everyKind(ann, clock.now()), ...everyKind(bob, clock.now()));
    await nextDay();
  }
  stage.poisoned.add(ann.user_id);
  await tell(...everyKind(ann, clock.now()), ...everyKind(bob, clock.now()));
  stage.poisoned.clear();
  const ids = { ann: await playerId(ann.user_id), bob: await playerId(bob.user_id) };
  await fillTables(pool, brand.brand_id, ids.ann, ann);
  await fillTables(pool, brand.brand_id, ids.bob, bob);
  await decide(ids.ann, ids.bob);
  await pool.query('analyze');
  const days = (await stage.history.days()).map(({ day, state }) => `${day} ${state}`);
  expect(days.slice(0, 3)).toEqual(['2026-05-02 packed', '2026-05-03 packed', '2026-05-04 open']);

  const before = await rollups();
  const places = new Set((await findTraces(pool, brand.brand_id, ann)).map((place) => place.split(':')[0]));
  for (const name of ['public.ledger_pack', 'public.parked_event', 'live.payment', 'pg_catalog.pg_stats'])
    expect(places).toContain(name);
  const bobs = await eventsOf(bob.user_id);

  await ask(ids.ann, ann.user_id);
  await erase();
  expect(await latest()).toMatchObject({ step: 'done', user_id: null, player_id: ids.ann, held_because: null });
  expect(await findTraces(pool, brand.brand_id, ann)).toEqual([]);
  expect(await eventsOf(ann.user_id)).toBe(0);
  // The signal is still there for the poll of a process that missed the hint.
  const { rows: told } = await pool.query('select kind from site_signal where player_id = $1', [ids.ann]);
  expect({ told, poked }).toEqual({ told: [{ kind: 'session_ended' }], poked: [ids.ann] });

  expect(await rollups()).toEqual(before);
  expect(await rollupDifferences(pool, null)).toEqual([]);
  expect(await rollupDifferences(pool, null, 'baseline')).toEqual([]);
  expect(await differences()).toEqual(none);
  expect(await eventsOf(bob.user_id)).toBe(bobs);
  const { rows } = await pool.query('select state, reason from bonus_intent where player_id = $1 order by bonus_code', [
    ids.ann,
  ]);
  expect(rows).toEqual([
    { state: 'rejected', reason: 'cancelled' },
    { state: 'credited', reason: null },
  ]);
  const { finding, decisions } = await verifyChain(pool, brand.brand_id);
  expect({ finding, decisions }).toEqual({ finding: null, decisions: 2 });
});

test('after an erasure, days are still packed, sealed and dropped', {
  timeout: 30_000,
}, async () => {
  const before = await rollups();
  for (let i = 0; i < 2; i++) {
    await nextDay();
    await tell(deposit(bob.user_id, `after-${i}`, clock.now() - second));
  }
  expect(await rollupDifferences(pool, null)).toEqual([]);
  const known = new Map((await rollups()).map((one) => [one.day, one]));
  for (const one of before.slice(1, 3)) expect(known.get(one.day)).toEqual(one);
});

test('a rebuild still finds no difference; late retries recreate nothing for 30 days; then the user_id may become a player again', async () => {
  const players = async () => (await pool.query('select from player')).rowCount;
  const before = await players();
  // An api process did not know of the erasure. So the events get into the ledger, and are deleted again.
  await tell(deposit(ann.user_id, 'late', clock.now()), ...everyKind(ann, clock.now()));
  expect(await players()).toBe(before);
  expect(await eraser.runOnce()).toMatchObject({ leftovers: everyKind(ann, clock.now()).length + 1 });
  expect(await findTraces(pool, brand.brand_id, ann)).toEqual([]);
  expect(await differences()).toEqual(none);

  clock.advance(30 * day);
  await nextDay(0);
  expect(await eraser.runOnce()).toMatchObject({ forgotten: 1 });
  await tell(deposit(ann.user_id, 'new life', clock.now()));
  expect(await players()).toBe((before ?? 0) + 1);
});

test('an erasure waits until money and consents are settled, unless it is forced; it can be cancelled before it begins', async () => {
  const id = await playerId(bob.user_id);
  const { rows } = await pool.query<{ intent_id: string }>(
    `update bonus_intent set state = 'unknown' where player_id = $1 and bonus_code = 'RELOAD' returning intent_id`,
    [id],
  );
  await ask(id, bob.user_id);
  expect(await eraser.runOnce()).toMatchObject({ steps: 0, held: 1 });
  expect(await latest()).toMatchObject({
    step: 'waiting',
    held_because: { en: 'bonus intents that are neither credited nor rejected: 1' },
  });
  expect(await playerId(bob.user_id)).toBe(id);
  await ask(id, bob.user_id, true);
  clock.advance(10 * second);
  await erase();
  expect(await latest()).toMatchObject({ step: 'done', forced: true });
  const { rows: intents } = await pool.query('select state from bonus_intent where intent_id = $1', [
    rows[0]?.intent_id,
  ]);
  expect(intents).toEqual([{ state: 'rejected' }]);
  expect(await findTraces(pool, brand.brand_id, bob)).toEqual([]);
});

test('an erasure killed before it stores a step continues and has the same result', { timeout: 60_000 }, async () => {
  const carl = traces('carl');
  await tell(...everyKind(carl, clock.now()));
  const id = await playerId(carl.user_id);
  await fillTables(pool, brand.brand_id, id, carl);
  const before = await rollups();
  await ask(id, carl.user_id);
  const steps: string[] = [];
  for (;;) {
    const [killed] = await claimErasures(pool, clock.now(), clock.now() + second);
    if (killed === undefined) break;
    await takeStep({ pool, ledger, brands }, killed, clock.now());
    clock.advance(second);
    const [next] = await claimErasures(pool, clock.now(), clock.now() + second);
    if (next === undefined) throw new Error('the claim did not run out');
    const result = await takeStep({ pool, ledger, brands }, next, clock.now());
    if (result === 'not_ours' || !('next' in result)) throw new Error('the erasure does not continue');
    steps.push(next.step);
    const over = result.next === 'done' ? clock.now() : null;
    const turn = { step: result.next, held_because: null, tries: 0, finished_at: over, counts: {} };
    await noteTurn(pool, next, { ...turn, due_at: over === null ? clock.now() : null });
    expect(await noteTurn(pool, killed, { ...turn, due_at: null }), 'its claim is lost').toBe(false);
  }
  expect(steps).toEqual(['waiting', 'ledger', 'rows', 'settling', 'vacuum']);
  expect(await latest()).toMatchObject({ step: 'done', user_id: null });
  await vacuumTables(pool, ['public.erasure']);
  expect(await findTraces(pool, brand.brand_id, carl)).toEqual([]);
  expect(await rollups()).toEqual(before);
  expect(await differences()).toEqual(none);
});
