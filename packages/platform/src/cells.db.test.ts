import { describe, expect, test } from 'vitest';
import { setupIntents } from '../testing/actions/intents/setup-intents.ts';
import { tablesOf } from '../testing/cells/tables.ts';
import { takeWritten, type Written, watchRows } from '../testing/cells/written-rows.ts';
import { testClock } from '../testing/clock.ts';
import { setupStage } from '../testing/derive/stage.ts';
import { testLog } from '../testing/log.ts';
import { isCurrent } from '../testing/operator/setup-sync.ts';
import { eraserOf, everyKind, traces } from '../testing/privacy/setup-privacy.ts';
import { ResolutionConsumer } from './actions/index.ts';
import { NotificationKeeper } from './channels/index.ts';
import { createNotifications } from './channels/notifications/create.ts';
import type { NewNotification } from './channels/notifications/notification.ts';
import { systemClock } from './clock.ts';
import { migrationsFolder, transaction } from './database/index.ts';
import { bucketCount, bucketOf, playerHash } from './ledger/index.ts';
import { RefreshConsumer } from './operator/players/index.ts';
import { readErasure, requestErasure } from './privacy/index.ts';
import { LogoutConsumer } from './site/index.ts';

/*
 * One transaction touches one cell, and a batch writes no row of control (docs/decisions/1202). The buckets are split into two cells as two
 * databases would split them. Real flows run for players of the first cell, while the players of the second cell are
 * known and idle. The database records every row that each transaction writes.
 */
const stage = await setupStage({ clock: testClock(systemClock()) });
const { pool, clock, brands } = stage;
const tables = await tablesOf(migrationsFolder);
await watchRows(pool, tables);

type Cell = 'first' | 'second';
const cellOf = (bucket: number | null): Cell | 'unknown' => {
  if (bucket === null) return 'unknown';
  return bucket < bucketCount / 2 ? 'first' : 'second';
};
const cellsOf = ({ buckets }: Written) => [...new Set(buckets.map(cellOf))];
const controlOf = (written: readonly Written[]) => [
  ...new Set(written.flatMap((one) => one.tables.filter(({ home }) => home === 'control').map(({ table }) => table))),
];
const tablesIn = (written: readonly Written[]) =>
  new Set(written.flatMap((one) => one.tables.map(({ table }) => table)));

/** Starts a worker for each cell, with the consumers of its batches. */
async function startWorkers() {
  await stage.leases.stop();
  const wake = () => {};
  const consumers = [
    new RefreshConsumer({ brands, wake }),
    new ResolutionConsumer({ wake }),
    new LogoutConsumer({ signals: { poke: () => {} }, brands }),
  ];
  const first = await stage.createWorker('first', consumers);
  const second = await stage.createWorker('second', consumers);
  await first.leases.runOnce();
  await second.leases.runOnce();
  return { first, second };
}
const workers = await startWorkers();

async function deriveAll(): Promise<void> {
  for (const { worker } of Object.values(workers)) while ((await worker.runOnce()).moved > 0);
}

/** Creates two players in each cell, and completes all look-ups about them. */
async function arrange() {
  const setup = await setupIntents(pool);
  const { brand, operator } = setup;
  await brands.refresh();
  const players: Record<Cell, { user_id: string; player_id: number }[]> = { first: [], second: [] };
  const consents = ['SiteNotification', 'PushNotification'].map((type) => ({ type, opted_in: true }));
  for (let n = 0; players.first.length < 2 || players.second.length < 2; n++) {
    const who = traces(`p${n}`);
    const cell = cellOf(bucketOf(playerHash(brand.brand_id, who.user_id)));
    if (cell === 'unknown' || players[cell].length === 2) continue;
    operator.books.addPlayer(who.user_id, { consents });
    await stage.publish(...everyKind(who, clock.now()).map((one) => ({ ...one, brand })));
    await deriveAll();
    players[cell].push({ user_id: who.user_id, player_id: await stage.playerId(who.user_id, brand) });
  }
  for (const { player_id } of Object.values(players).flat()) {
    await setup.refresh(player_id);
    await setup.until(player_id, isCurrent);
  }
  const [one, two] = players.first;
  if (one === undefined || two === undefined) throw new Error('the cell has no players');
  return { ...setup, players, one, two };
}

/** @param cell the only cell whose rows were written; no transaction wrote them together with rows of control */
function expectWritten(written: readonly Written[], cell: string, among: readonly string[], inControl: string[] = []) {
  expect(written.filter((one) => cellsOf(one).some((touched) => touched !== cell))).toEqual([]);
  expect(written.filter((one) => one.buckets.length > 0 && controlOf([one]).length > 0)).toEqual([]);
  expect(controlOf(written)).toEqual(inControl);
  expect([...tablesIn(written)]).toEqual(expect.arrayContaining([...among]));
}

describe('one transaction touches one cell, and writes no row of control', { timeout: 60_000 }, () => {
  test('a batch of derive', async () => {
    const { brand, worker: sync } = await arrange();
    await sync.stop();
    const events = upTo(6).flatMap((n) => everyKind(traces(`q${n}`), clock.now()));
    await stage.publish(...events.map((one) => ({ ...one, brand })));
    await takeWritten(pool);
    for (const [cell, { worker }] of Object.entries(workers)) {
      while ((await worker.runOnce()).moved > 0);
      expectWritten(await takeWritten(pool), cell, [
        'player',
        'payment',
        'casino_brand_day',
        'journal',
        'player_sync',
        'bucket',
      ]);
    }
  });

  test('look-ups', async () => {
    const { one, operator, refresh, until } = await arrange();
    operator.books.change(one.user_id, { consents: [{ type: 'SiteNotification', opted_in: false }] });
    await takeWritten(pool);
    await refresh(one.player_id);
    await until(one.player_id, isCurrent);
    expectWritten(await takeWritten(pool), 'first', ['player_sync', 'player_consent']);
  });

  test('an intent, with its decisions and its call', async () => {
    const { one, order, untilState } = await arrange();
    await takeWritten(pool);
    await untilState(await order(one.player_id), 'credited');
    const written = await takeWritten(pool);
    expectWritten(written, 'first', ['bonus_intent', 'bonus_attempt', 'gate_decision', 'gate_decision_seal']);
  });

  test('a message, and its end', async () => {
    const { one, two, gate, brand } = await arrange();
    await takeWritten(pool);
    const at = systemClock();
    const expires_at = at + 60_000_000;
    const created = await transaction(pool, (tx) =>
      createNotifications(
        tx,
        gate,
        [one, two].map(({ player_id }) => ({ ...messageTo(brand.brand_id, player_id), expires_at })),
        at,
      ),
    );
    expect(created.map(({ state }) => state)).toEqual(['live', 'live']);
    const later = () => at + 120_000_000;
    const signals = { poke: () => {} };
    await new NotificationKeeper({ pool, brands, gate, signals, clock: later, log: testLog }).runOnce();
    expectWritten(await takeWritten(pool), 'first', ['notification', 'site_signal', 'gate_decision']);
  });

  test('an erasure', async () => {
    const { one, brand, worker: sync } = await arrange();
    await sync.stop();
    clock.set(systemClock());
    const refused = `{"user_id": "${one.user_id}", "e`;
    await pool.query(
      `insert into quarantine (brand_id, kind, body_sha256, body, reasons, first_at, last_at)
       values ($1, 'login', sha256(convert_to($2, 'UTF8')), convert_to($2, 'UTF8'), '[]', now(), now())`,
      [brand.brand_id, refused],
    );
    await takeWritten(pool);
    const { user_id, player_id } = one;
    const asked = { brand_id: brand.brand_id, player_id, user_id, forced: true, at: clock.now() };
    const { erasure_id } = await requestErasure(pool, brands, asked);
    const eraser = eraserOf(stage);
    await eraser.runOnce();
    clock.advance(60_000_000);
    await eraser.runOnce();
    expect(await readErasure(pool, erasure_id)).toMatchObject({ step: 'done' });
    const written = await takeWritten(pool);
    // Bodies without a known player are in control. Separate transactions handle them.
    expectWritten(
      written,
      'first',
      ['erasure', 'player', 'payment', 'player_profile', 'player_consent'],
      ['quarantine'],
    );
  });
});

describe('exceptions and violations', { timeout: 60_000 }, () => {
  // docs/decisions/1202: with several cells, each cell has its own ledger. An api process then splits the gathered
  // events by cell before it appends them.
  test('an append contains events of all cells, and writes only blocks and marks', async () => {
    const { brand, worker: sync } = await arrange();
    await sync.stop();
    await takeWritten(pool);
    const events = upTo(6).flatMap((n) => everyKind(traces(`r${n}`), clock.now()));
    await stage.publish(...events.map((one) => ({ ...one, brand })));
    const [append, ...others] = (await takeWritten(pool)).filter(({ buckets }) => buckets.length > 0);
    expect(others).toEqual([]);
    expect(new Set(append?.buckets.map(cellOf))).toEqual(new Set(['first', 'second']));
    expect(append?.tables.map(({ table }) => table).sort()).toEqual(['ledger_block', 'pending_protection']);
  });

  test('a transaction over two cells, or over a cell and control, is found', async () => {
    const { players, brand, worker: sync } = await arrange();
    await sync.stop();
    await takeWritten(pool);
    const touch = 'update player set user_id = user_id where player_id = any ($1)';
    const ids = Object.values(players).map(([player]) => player?.player_id);
    await pool.query(touch, [ids]);
    await transaction(pool, async (tx) => {
      await tx.query(touch, [ids.slice(0, 1)]);
      await tx.query('update brand set name = name where brand_id = $1', [brand.brand_id]);
    });
    const undone = transaction(pool, async (tx) => {
      await tx.query(touch, [ids]);
      throw new Error('rolled back');
    });
    await expect(undone).rejects.toThrow('rolled back');
    const written = await takeWritten(pool);
    expect(written.map((one) => [cellsOf(one).length, controlOf([one])])).toEqual([
      [2, []],
      [1, ['brand']],
    ]);
    expect(() => expectWritten(written.slice(0, 1), 'first', [])).toThrow();
    expect(() => expectWritten(written.slice(1), 'first', [], ['brand'])).toThrow();
  });
});

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

function messageTo(brand_id: number, player_id: number): NewNotification {
  return {
    brand_id,
    player_id,
    channel: 'site',
    purpose: 'marketing',
    event: 'inbox',
    display_type: 'push',
    title: 'Ten spins',
    message: '',
    preview_text: '',
    footer_text: '',
    data: '{}',
    image_url: '',
    cta_button_link: '',
    cta_button_text: '',
    cta_button2_link: '',
    cta_button2_text: '',
    expires_at: null,
    campaign_id: null,
    request_key: null,
    created_by: 'a test',
  };
}
