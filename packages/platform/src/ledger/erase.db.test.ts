import { expect, test } from 'vitest';
import { entryOf, upTo } from '../../testing/ledger/entries.ts';
import { setupLedgers } from '../../testing/ledger/postgres-stage.ts';
import { dayMicros, readToTheEnd, today } from '../../testing/ledger/stage.ts';
import { openPool } from '../database/index.ts';
import { PostgresLedgerEraser } from './erase.ts';
import { playerHash } from './player-hash.ts';

/* What the eraser does to tables. The conformance suite covers what callers see of it. */
const { pool, url, make } = await setupLedgers();
const players = ['ann', 'bob', 'carl', 'dora'];
const ann = { brand_id: 1, player_hash: playerHash(1, 'ann'), isTheirs: () => true };

test('a block loses frames, a pack is rewritten; their days are packed and dropped with the remaining events', async () => {
  const stage = await make();
  const { ledger, clock } = stage;
  const append = async (from: number) => {
    const writer = await ledger.openWriter();
    for (let n = from; n < from + 160; n += 8) {
      const entries = upTo(8).map((i) => entryOf(players[(n + i) % players.length] ?? '', n + i));
      await writer.append(entries.map((entry) => ({ ...entry, received_at: clock.now + n })));
    }
    await writer.close();
  };
  await append(0);
  clock.now += 2 * dayMicros;
  await readToTheEnd(stage);
  expect(await ledger.days.pack(today)).toMatchObject({ outcome: 'packed', events: 160 });
  await append(160);
  expect(await ledger.eraser.erasePlayer(ann)).toEqual({ events: 80, packs: 1, blocks: 20, unreadable: 0 });

  clock.now += 2 * dayMicros;
  await readToTheEnd(stage);
  expect(await ledger.days.pack('2026-05-03')).toMatchObject({ outcome: 'packed', events: 120 });
  expect(await ledger.days.drop(today, { before: '2026-05-04', events: 120 })).toMatchObject({ events: 120 });
});

test('a packer that works in another process is not disturbed', async () => {
  const { ledger } = await make();
  const client = await pool.connect();
  await client.query('select pg_advisory_lock($1)', [0x6c_65_66]);
  expect(await ledger.eraser.erasePlayer(ann)).toBe('busy');
  await client.query('select pg_advisory_unlock($1)', [0x6c_65_66]);
  client.release();
});

test('a failed erasure has released the lock when it throws, and its connection can be used again', async () => {
  const { ledger } = await make();
  const writer = await ledger.openWriter();
  await writer.append([entryOf('ann', 0)]);
  await writer.close();
  const single = openPool(url, { name: 'test', max: 1 });
  const locks = async () => {
    const { rows } = await single.query(
      `select pg_backend_pid() as pid, (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`,
    );
    return rows;
  };
  const before = await locks();
  const refuse = () => Promise.reject(new Error('not now'));
  await expect(new PostgresLedgerEraser(single).erasePlayer(ann, { beforeErased: refuse })).rejects.toThrow('not now');
  expect(await locks()).toEqual(before);
  expect(before).toMatchObject([{ locks: 0 }]);
  await single.end();
});

test('a purge removes old versions from every table that holds events', async () => {
  const { ledger } = await make();
  const writer = await ledger.openWriter();
  await writer.append([entryOf('ann', 0), entryOf('bob', 1)]);
  await writer.close();
  const holders = ['ledger_block_20260501', 'ledger_pack', 'ledger_set_aside'];
  const vacuums = async () => {
    const { rows } = await pool.query<{ relname: string; vacuum_count: number }>(
      'select relname, vacuum_count from pg_stat_user_tables where relname = any ($1)',
      [holders],
    );
    return holders.map((name) => rows.find((row) => row.relname === name)?.vacuum_count);
  };
  const [ofBlocks = 0, ofPacks = 0, ofSetAside = 0] = await vacuums();
  await ledger.eraser.erasePlayer(ann);
  await ledger.eraser.purge();
  expect(await vacuums()).toEqual([ofBlocks + 1, ofPacks + 1, ofSetAside + 1]);
});
