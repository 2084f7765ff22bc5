import { describe, expect, test } from 'vitest';
import {
  collect,
  entryOf,
  everything,
  numberOf,
  numbers,
  readAll,
  start,
  startOf,
  upTo,
} from '../../testing/ledger/entries.ts';
import { type PostgresStage, setupLedgers } from '../../testing/ledger/postgres-stage.ts';
import { type Reading, readingConformance } from '../../testing/ledger/reading.conformance.ts';
import { dayMicros, readToTheEnd, today, tomorrow, twoDays as twoDaysOf } from '../../testing/ledger/stage.ts';
import { testLog } from '../../testing/log.ts';
import { encodeBlock } from './block.ts';
import { PostgresLedgerHistory } from './history.ts';
import type { Bucket, BucketRead, Cursor, HistoryFilter, Ledger, SoughtPosition } from './ledger.ts';
import { playerHash } from './player-hash.ts';
import { closeGoneWriters } from './store.ts';

const { pool, make } = await setupLedgers();

async function twoDays() {
  const stage = await twoDaysOf(make);
  return { ...stage, history: stage.days };
}

/**
 * Reads from a ledger and packs existing blocks before some of the calls, so that readers get packs and blocks in every
 * mixture.
 */
class PackingLedger implements Reading {
  readonly beginning: Cursor;
  readonly #stage: PostgresStage;
  readonly #ledger: Ledger;
  /** A ledger with a clock for which the day is over. */
  readonly #packer: Ledger;
  readonly #every: number;
  #calls = 0;

  constructor(stage: PostgresStage, every: number) {
    this.#stage = stage;
    this.#ledger = stage.ledger;
    this.#packer = stage.ledgerAt(() => start + 3 * dayMicros);
    this.beginning = stage.ledger.beginning;
    this.#every = every;
  }

  async #pack(): Promise<void> {
    this.#calls += 1;
    if (this.#calls % this.#every !== 0) return;
    await readToTheEnd({ ...this.#stage, ledger: this.#packer });
    expect(await this.#packer.days.pack(today)).toMatchObject({ outcome: 'packed' });
  }

  openWriter() {
    return this.#ledger.openWriter();
  }
  async read(cursors: ReadonlyMap<Bucket, Cursor>, limit: number): Promise<BucketRead[]> {
    await this.#pack();
    return this.#ledger.read(cursors, limit);
  }
  async *history(filter: HistoryFilter) {
    await this.#pack();
    yield* this.#ledger.history(filter);
  }
  async newest(filter: HistoryFilter, limit: number, before?: string) {
    await this.#pack();
    return this.#ledger.newest(filter, limit, before);
  }
  async at(positions: readonly SoughtPosition[]) {
    await this.#pack();
    return this.#ledger.at(positions);
  }
  async find(positions: readonly SoughtPosition[]) {
    await this.#pack();
    return this.#ledger.find(positions);
  }
  covers: Ledger['covers'] = (cursor, position) => this.#ledger.covers(cursor, position);
  reaches: Ledger['reaches'] = (cursor, other) => this.#ledger.reaches(cursor, other);
  async lag(cursors: ReadonlyMap<Bucket, Cursor>) {
    await this.#pack();
    return this.#ledger.lag(cursors);
  }
}

describe('a ledger whose day is packed before every call', () => {
  readingConformance(async () => new PackingLedger(await make(), 1));
});

describe('a ledger whose day is packed repeatedly while it is read', () => {
  readingConformance(async () => new PackingLedger(await make(), 3));
});

describe('days of the ledger in PostgreSQL', () => {
  test('the last block of a writer is known, even if its blocks are packed or dropped', async () => {
    const { ledger, history, close } = await twoDays();
    expect(await history.drop(today, { before: tomorrow })).toMatchObject({ outcome: 'dropped', events: 60 });
    expect(await history.pack(tomorrow)).toMatchObject({ outcome: 'packed', events: 40 });
    await close();
    await expect.poll(() => closeGoneWriters(pool)).toBe(2);
    expect(await everything(ledger, 7)).toEqual(upTo(100).slice(60));
    expect(await history.drop(tomorrow, { before: '2026-06-01' })).toMatchObject({ outcome: 'dropped', events: 40 });
    expect(await everything(ledger, 7)).toEqual([]);
    expect(await history.days()).toEqual([]);
    for (const table of ['ledger_slice', 'ledger_slice_writer', 'ledger_pack', 'ledger_set_aside']) {
      expect((await pool.query(`select from ${table}`)).rowCount, table).toBe(0);
    }
  });

  test('the log says that a day is dropped only after the commit', async () => {
    const { ledger, history, readers, clock, close } = await twoDays();
    const said: string[] = [];
    const log = { ...testLog, info: (_fields: object, text: string) => said.push(text) } as never;
    const days = new PostgresLedgerHistory({ pool, now: () => clock.now, log, readers: async () => readers });
    await history.pack(today);
    // Fails at the commit of the drop.
    await pool.query(`
      create function refuse_drop() returns trigger language plpgsql as 'begin raise exception $$not today$$; end';
      create constraint trigger refuse_drop after delete on ledger_slice deferrable initially deferred
        for each row execute function refuse_drop()`);
    await expect(days.drop(today, { before: tomorrow })).rejects.toThrow('not today');
    expect(said).toEqual([]);
    expect(await everything(ledger)).toEqual(upTo(100));
    await pool.query('drop trigger refuse_drop on ledger_slice; drop function refuse_drop()');
    expect(await days.drop(today, { before: tomorrow })).toMatchObject({ outcome: 'dropped', events: 60 });
    expect(said).toEqual(['a day of the ledger is dropped']);
    await close();
  });

  test('after a crash in the middle of a slice the blocks remain, and the next call packs them', async () => {
    const { ledger, history, close } = await twoDays();
    const blocker = await pool.connect();
    await blocker.query('begin; select from ledger_writer for update');
    const packing = history.pack(today).catch((error: Error) => error.message);
    const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'update ledger_writer%'`;
    await expect.poll(async () => (await pool.query(`select ${waiting}`)).rowCount).toBe(1);
    await pool.query(`select pg_terminate_backend(pid) ${waiting}`);
    expect(await packing).toMatch('terminat');
    await blocker.query('rollback');
    blocker.release();
    expect((await pool.query('select from ledger_slice')).rowCount).toBe(0);
    expect(await everything(ledger)).toEqual(upTo(100));
    expect(await history.pack(today)).toMatchObject({ outcome: 'packed', events: 60 });
    expect(await everything(ledger)).toEqual(upTo(100));
    await close();
  });

  test('while a session uses the blocks, only dropping their partition waits', async () => {
    const { ledger, history, clock, writers, close } = await twoDays();
    const dump = await pool.connect();
    await dump.query('begin; lock table ledger_block in access share mode');
    expect(await history.pack(today)).toEqual({ outcome: 'refused', reason: 'busy' });
    expect(await everything(ledger)).toEqual(upTo(100));
    await writers[0]?.append([{ ...entryOf('u-1', 100), received_at: clock.now }]);
    await dump.query('rollback');
    dump.release();
    expect(await history.pack(today)).toMatchObject({ outcome: 'packed', events: 60 });
    expect(await everything(ledger)).toEqual(upTo(101));
    await close();
  });

  test('an unreadable block is set aside, read once it is readable, and reported when its day is dropped', async () => {
    const stage = await twoDays();
    const { ledger, history, close } = stage;
    const { rows } = await pool.query<{ writer_id: number; payload: Buffer }>(
      `update ledger_block b set payload = '\\x07ff' from (select * from ledger_block where seq = 2 limit 1) o
       where b.writer_id = o.writer_id and b.seq = o.seq returning o.writer_id, o.payload`,
    );
    const position = { writer_id: rows[0]?.writer_id ?? 0, seq: 2, index: 0 };
    expect(await ledger.find([position])).toEqual({ events: [], damaged: [position] });
    await readToTheEnd(stage);
    expect(await history.pack(today)).toMatchObject({ outcome: 'packed', events: 58, unreadable_blocks: 1 });
    expect(await ledger.find([position])).toEqual({ events: [], damaged: [position] });
    expect(await everything(ledger)).toHaveLength(98);
    expect((await pool.query('select payload from ledger_set_aside')).rows).toEqual([
      { payload: Buffer.from([7, 255]) },
    ]);
    await pool.query('update ledger_set_aside set payload = $1', [rows[0]?.payload]);
    const { events } = await readAll(ledger, startOf(ledger), 13);
    expect(numbers(events)).toEqual(upTo(100));
    expect(await ledger.at(events.map((event) => event.position))).toEqual(events);
    expect(numbers(await collect(ledger.history({})))).toEqual(upTo(100));
    expect((await ledger.newest({}, 1_000)).events).toHaveLength(100);
    expect(numbers(await collect(history.readDay(today)))).toEqual(upTo(60));
    expect(await history.drop(today, { before: tomorrow })).toMatchObject({ events: 58, unreadable_blocks: 1 });
    expect((await pool.query('select from ledger_damage')).rowCount).toBe(0);
    await close();
  });

  test('a damaged pack is recorded, and no other events are lost', async () => {
    const { ledger, history, close } = await twoDays();
    await history.pack(today);
    const { events } = await readAll(ledger, startOf(ledger), 100);
    const bucket = events[0]?.bucket ?? 0;
    await pool.query(`update ledger_pack set bodies = '\\x01ff' where bucket = $1`, [bucket]);
    const retained = numbers(events.filter((event) => event.bucket !== bucket || numberOf(event) >= 60));
    expect(await everything(ledger)).toEqual(retained);
    expect(numbers((await ledger.newest({}, 1_000)).events)).toEqual(retained);
    const found = await ledger.find(events.map(({ position }) => ({ ...position, bucket: undefined })));
    expect([found.events.length, found.damaged.length]).toEqual([retained.length, 100 - retained.length]);
    expect((await pool.query('select writer_id, seq % 64 as bucket from ledger_damage')).rows).toEqual([
      { writer_id: 0, bucket },
    ]);
    await close();
  });

  test('a day in several slices is read in order, and a large bucket is returned in parts', async () => {
    const stage = await make();
    const { ledger, clock } = stage;
    const history = ledger.days;
    const writer = await ledger.openWriter();
    const count = 66_000;
    for (let i = 0; i < count; i += 2_000) {
      await writer.append(upTo(2_000).map((n) => entryOf(`u-${(i + n) % 4}`, i + n)));
    }
    clock.now = start + 2 * dayMicros;
    await readToTheEnd(stage);
    expect(await history.pack(today)).toMatchObject({ outcome: 'packed', events: count });
    expect((await pool.query('select from ledger_slice')).rowCount).toBe(2);
    expect(await everything(ledger, 5_000)).toHaveLength(count);
    const found = (await ledger.newest({ player_hash: playerHash(1, 'u-1') }, 50)).events.map(numberOf);
    expect(found).toEqual(upTo(50).map((i) => count - 3 - 4 * i));
    await writer.close();
  });

  test('blocks that were never compressed, and blocks of one event, can be packed too', async () => {
    const stage = await make();
    const { ledger, clock } = stage;
    const history = ledger.days;
    const writer = await ledger.openWriter();
    await writer.append([entryOf('u-1', 0)]);
    expect(encodeBlock([entryOf('u-1', 0)])[0]).toBe(0);
    clock.now = start + 2 * dayMicros;
    await readToTheEnd(stage);
    expect(await history.pack(today)).toMatchObject({ outcome: 'packed', events: 1 });
    expect(await everything(ledger)).toEqual([0]);
    await writer.close();
  });
});
