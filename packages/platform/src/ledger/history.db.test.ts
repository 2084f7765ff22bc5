import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import {
  entryOf,
  ledgerConformance,
  numberOf,
  readAll,
  start,
  startOf,
} from '../../testing/ledger/ledger.conformance.ts';
import { storedCursors } from '../buckets/index.ts';
import { connectionConfig } from '../database/index.ts';
import { encodeBlock } from './block.ts';
import { beginning } from './cursor.ts';
import { PostgresLedgerHistory } from './history.ts';
import type {
  Bucket,
  BucketRead,
  Cursor,
  HistoryFilter,
  Ledger,
  LedgerEraser,
  LedgerEvent,
  LedgerHistory,
  SoughtPosition,
} from './ledger.ts';
import { playerHash } from './player-hash.ts';
import { PostgresLedger } from './postgres-ledger.ts';
import { closeGoneWriters } from './store.ts';

const { pool, url } = await setupDatabase();
const log = pino({ level: 'silent' });
const dayMicros = 86_400_000_000;
const today = '2026-05-01';
const tomorrow = '2026-05-02';

/** A ledger of its own with a clock that the test holds, and its history. */
async function setup() {
  await pool.query(
    `truncate ledger_writer, ledger_damage, ledger_slice, ledger_slice_writer, ledger_pack, ledger_set_aside;
     update bucket set cursor = null`,
  );
  const { rows } = await pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'ledger_block'::regclass`,
  );
  for (const { name } of rows) await pool.query(`drop table ${name}`);
  const clock = { now: start };
  const now = () => clock.now;
  const ledger = new PostgresLedger({
    pool,
    connection: connectionConfig(url, { name: 'test' }),
    process: 'test',
    now,
    log,
  });
  return {
    ledger,
    clock,
    history: new PostgresLedgerHistory({ pool, now, log, readers: () => storedCursors(pool, beginning) }),
  };
}

/** As if derive had come to the end of everything. */
async function derived(ledger: Ledger): Promise<void> {
  const { cursors } = await readAll(ledger, startOf(ledger), 1_000);
  await pool.query(
    `update bucket b set cursor = c.cursor from unnest($1::smallint[], $2::jsonb[]) as c(bucket, cursor) where b.bucket = c.bucket`,
    [[...cursors.keys()], [...cursors.values()].map((cursor) => JSON.stringify(cursor))],
  );
}

/** The same at once, for what the writers of this moment wrote. */
async function passedByAll(): Promise<void> {
  await pool.query(
    `update bucket set cursor = jsonb_build_object('floor', (select max(writer_id) from ledger_writer), 'at', '{}'::jsonb)`,
  );
}

const numbers = (events: readonly LedgerEvent[]) => events.map(numberOf).sort((a, b) => a - b);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

async function collect(pages: AsyncIterable<LedgerEvent[]>): Promise<LedgerEvent[]> {
  const events: LedgerEvent[] = [];
  for await (const page of pages) events.push(...page);
  return events;
}

async function everything(ledger: Ledger, limit = 100): Promise<number[]> {
  return numbers((await readAll(ledger, startOf(ledger), limit)).events);
}

/** Two days of two writers: numbers 0 to 59 on the first, 60 to 99 on the second. The clock then stands at the third. */
async function twoDays() {
  const stage = await setup();
  const writers = [await stage.ledger.openWriter(), await stage.ledger.openWriter()];
  for (let i = 0; i < 100; i += 2) {
    if (i === 60) stage.clock.now = start + dayMicros;
    const at = stage.clock.now + i;
    const entries = [i, i + 1].map((n) => ({
      ...entryOf(`u-${n % 17}`, n, n % 3 === 0 ? 'login' : 'payment'),
      received_at: at,
    }));
    await writers[(i / 2) % 2]?.append(entries);
  }
  stage.clock.now = start + 2 * dayMicros + 7_200_000_000;
  await derived(stage.ledger);
  return { ...stage, writers, close: () => Promise.all(writers.map((writer) => writer.close())) };
}

/** A ledger that packs what is there before some of its calls, so that readers meet packs and blocks in every mixture. */
class PackingLedger implements Ledger {
  readonly beginning = beginning;
  readonly days: LedgerHistory;
  readonly eraser: LedgerEraser;
  readonly #ledger: PostgresLedger;
  readonly #every: number;
  #calls = 0;

  constructor(ledger: PostgresLedger, every: number) {
    this.#ledger = ledger;
    this.days = ledger.days;
    this.eraser = ledger.eraser;
    this.#every = every;
  }

  async #pack(): Promise<void> {
    this.#calls += 1;
    if (this.#calls % this.#every !== 0) return;
    const now = () => start + 3 * dayMicros;
    await passedByAll();
    expect(
      await new PostgresLedgerHistory({ pool, now, log, readers: () => storedCursors(pool, beginning) }).pack(today),
    ).toMatchObject({ outcome: 'packed' });
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
  damagedBlocks() {
    return this.#ledger.damagedBlocks();
  }
  async lag(cursors: ReadonlyMap<Bucket, Cursor>) {
    await this.#pack();
    return this.#ledger.lag(cursors);
  }
}

describe('a ledger whose day is packed before every call', () => {
  ledgerConformance(async () => new PackingLedger((await setup()).ledger, 1));
});

describe('a ledger whose day is packed again and again while it is read', () => {
  ledgerConformance(async () => new PackingLedger((await setup()).ledger, 3));
});

describe('the history of the ledger', () => {
  test('the life of a day: open, closed, packed, dropped', async () => {
    const { ledger, history, clock, close } = await twoDays();
    const late = clock.now;
    clock.now = start + dayMicros + 60_000_000;
    expect((await history.days()).map(({ day, state }) => [day, state])).toEqual([
      [today, 'open'],
      [tomorrow, 'open'],
    ]);
    expect(await history.pack(today)).toEqual({ outcome: 'refused', reason: 'open' });
    clock.now = late;
    expect((await history.days()).map(({ day, state }) => [day, state])).toEqual([
      [today, 'closed'],
      [tomorrow, 'closed'],
    ]);
    expect(await history.pack(today)).toMatchObject({ outcome: 'packed', events: 60, unreadable_blocks: 0 });
    expect(await history.days()).toEqual([
      { day: today, state: 'packed', events: 60, bytes: expect.any(Number) },
      { day: tomorrow, state: 'closed', events: null, bytes: expect.any(Number) },
    ]);
    expect(await everything(ledger)).toEqual(upTo(100));
    expect(await history.drop(today, { before: tomorrow })).toEqual({
      outcome: 'dropped',
      events: 60,
      unreadable_blocks: 0,
    });
    expect((await history.days()).map(({ day }) => day)).toEqual([tomorrow]);
    expect(await everything(ledger)).toEqual(upTo(100).slice(60));
    await close();
  });

  test('packing changes nothing that is read', async () => {
    const { ledger, history, close } = await twoDays();
    const read = async () => {
      const filters: HistoryFilter[] = [
        {},
        { player_hash: playerHash(1, 'u-3') },
        { kinds: ['login'] },
        { from: start + 20, to: start + dayMicros + 80 },
        { buckets: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
        { brand_id: 2 },
      ];
      const lists = [];
      for (const filter of filters) {
        lists.push((await collect(ledger.history(filter))).map((event) => event.position));
        for (let before: string | undefined; ; ) {
          const page = await ledger.newest(filter, 7, before);
          lists.push(page.events);
          if (page.next === null) break;
          before = page.next;
        }
      }
      return lists;
    };
    const before = await read();
    const { events } = await readAll(ledger, startOf(ledger), 10);
    await history.pack(today);
    expect(await read()).toEqual(before);
    await history.pack(tomorrow);
    expect(await read()).toEqual(before);
    expect(await ledger.at(events.map((event) => event.position))).toEqual(events);
    expect(await ledger.at(events.map(({ position, bucket }) => ({ ...position, bucket })))).toEqual(events);
    for (const day of [today, tomorrow]) {
      const own = numbers(await collect(history.readDay(day)));
      expect(own).toEqual(day === today ? upTo(60) : upTo(100).slice(60));
    }
    await close();
  });

  test('a list of the newest goes on where it was when its day is packed between two pages', async () => {
    const { ledger, history, close } = await twoDays();
    const whole = (await ledger.newest({}, 1_000)).events.map(numberOf);
    const seen: number[] = [];
    for (let before: string | undefined; ; ) {
      const page = await ledger.newest({}, 9, before);
      seen.push(...page.events.map(numberOf));
      if (seen.length === 27) await history.pack(today);
      if (seen.length === 54) await history.pack(tomorrow);
      if (page.next === null) break;
      before = page.next;
    }
    expect(seen).toEqual(whole);
    await close();
  });

  test('a reader gets each event once, wherever it stands when days are packed', async () => {
    for (const limit of [1, 7, 40]) {
      for (const stop of [0, 1, 3, 5]) {
        const { ledger, history, close } = await twoDays();
        let cursors = startOf(ledger);
        const events: LedgerEvent[] = [];
        for (let step = 0; ; step++) {
          if (step === stop) await history.pack(today);
          if (step === stop + 2) await history.pack(tomorrow);
          const reads = await ledger.read(cursors, limit);
          cursors = new Map([...cursors, ...reads.map((read): [Bucket, Cursor] => [read.bucket, read.cursor])]);
          events.push(...reads.flatMap((read) => read.events));
          for (const event of events) {
            const cursor = cursors.get(event.bucket);
            expect(cursor !== undefined && ledger.covers(cursor, event.position)).toBe(true);
          }
          if (reads.length === 0 && step > stop + 2) break;
        }
        expect(numbers(events)).toEqual(upTo(100));
        const all = await readAll(ledger, startOf(ledger), 1_000);
        for (const [bucket, cursor] of cursors) {
          expect(ledger.reaches(cursor, all.cursors.get(bucket) ?? beginning)).toBe(true);
        }
        await close();
      }
    }
  });

  test('what a late writer adds to a packed day is read once, and packed by the next call', async () => {
    const { ledger, history, clock, writers, close } = await twoDays();
    await history.pack(today);
    await history.pack(tomorrow);
    const now = clock.now;
    // The clock of a process that went wrong by a day, on a writer of its own and on one that was there.
    clock.now = start;
    const late = await ledger.openWriter();
    await late.append([entryOf('u-1', 100)]);
    await writers[0]?.append([{ ...entryOf('u-2', 101), received_at: start + dayMicros }]);
    clock.now = now;
    expect(await everything(ledger, 7)).toEqual(upTo(102));
    expect((await history.days()).map(({ day, state }) => [day, state])).toEqual([
      [today, 'closed'],
      [tomorrow, 'closed'],
    ]);
    expect(await history.pack(tomorrow)).toEqual({ outcome: 'refused', reason: 'earlier_day' });
    expect(await history.pack(today)).toEqual({ outcome: 'refused', reason: 'not_derived' });
    await derived(ledger);
    expect(await history.pack(today)).toMatchObject({ outcome: 'packed', events: 61 });
    expect(await history.pack(tomorrow)).toMatchObject({ outcome: 'packed', events: 41 });
    expect(await everything(ledger, 7)).toEqual(upTo(102));
    expect(numbers(await collect(ledger.history({})))).toEqual(upTo(102));
    expect((await ledger.newest({}, 1_000)).events.map(numberOf)).toHaveLength(102);
    await late.close();
    await close();
    await expect.poll(() => closeGoneWriters(pool)).toBe(3);
    expect(await everything(ledger, 7)).toEqual(upTo(102));
  });

  test('a crash in the middle of a slice leaves the blocks, and the next call packs them', async () => {
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

  test('while somebody uses the blocks, their partition waits; nobody else does', async () => {
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

  test('holds off packing and dropping while a long reader needs the days as they are', async () => {
    const { history, close } = await twoDays();
    const [one, two] = [await history.hold(), await history.hold()];
    expect(await history.pack(today)).toEqual({ outcome: 'refused', reason: 'busy' });
    await one[Symbol.asyncDispose]();
    expect(await history.drop(today, { before: tomorrow })).toEqual({ outcome: 'refused', reason: 'busy' });
    await two[Symbol.asyncDispose]();
    expect(await history.pack(today)).toMatchObject({ outcome: 'packed' });
    await close();
  });

  test('drops oldest first, only what is old enough, packed or not; cursors step over it', async () => {
    const { ledger, history, close } = await twoDays();
    const { events, cursors } = await readAll(ledger, startOf(ledger), 30);
    expect(await history.drop(today, { before: today })).toEqual({ outcome: 'refused', reason: 'too_young' });
    expect(await history.drop(tomorrow, { before: '2026-06-01' })).toEqual({
      outcome: 'refused',
      reason: 'earlier_day',
    });
    expect(await history.drop(today, { before: tomorrow, events: 59 })).toEqual({
      outcome: 'refused',
      reason: 'grown',
    });
    expect(await everything(ledger)).toEqual(upTo(100));
    const half = await ledger.read(startOf(ledger), 10);
    const standing = new Map([...startOf(ledger), ...half.map((read): [Bucket, Cursor] => [read.bucket, read.cursor])]);
    expect(await history.drop(today, { before: tomorrow })).toMatchObject({ outcome: 'dropped', events: 60 });
    expect(await history.drop(today, { before: tomorrow })).toMatchObject({ outcome: 'dropped', events: 0 });
    expect(await history.pack(tomorrow)).toMatchObject({ outcome: 'packed', events: 40 });
    for (const from of [startOf(ledger), standing]) {
      const read = await readAll(ledger, from, 30);
      expect(numbers(read.events)).toEqual(upTo(100).slice(60));
      for (const [bucket, cursor] of cursors) {
        expect(ledger.reaches(read.cursors.get(bucket) ?? beginning, cursor)).toBe(true);
      }
    }
    expect(numbers(await ledger.at(events.map((event) => event.position)))).toEqual(upTo(100).slice(60));
    expect((await ledger.find(events.map((event) => event.position))).damaged).toEqual([]);
    expect(numbers(await collect(ledger.history({})))).toEqual(upTo(100).slice(60));
    expect(await ledger.lag(cursors)).toEqual({ blocks: 0, oldest_received_at: null });
    await close();
    // The end of a writer is known, although all of its blocks are gone.
    await expect.poll(() => closeGoneWriters(pool)).toBe(2);
    expect(await history.drop(tomorrow, { before: '2026-06-01' })).toMatchObject({ outcome: 'dropped', events: 40 });
    expect((await readAll(ledger, startOf(ledger), 30)).events).toEqual([]);
    expect(await history.days()).toEqual([]);
    for (const table of ['ledger_slice', 'ledger_slice_writer', 'ledger_pack', 'ledger_set_aside']) {
      expect((await pool.query(`select from ${table}`)).rowCount, table).toBe(0);
    }
  });

  test('a block that nobody can read is kept aside, read once somebody can, and told when its day goes', async () => {
    const { ledger, history, close } = await twoDays();
    const { rows } = await pool.query<{ writer_id: number; payload: Buffer }>(
      `update ledger_block b set payload = '\\x07ff' from (select * from ledger_block where seq = 2 limit 1) o
       where b.writer_id = o.writer_id and b.seq = o.seq returning o.writer_id, o.payload`,
    );
    const position = { writer_id: rows[0]?.writer_id ?? 0, seq: 2, index: 0 };
    expect(await ledger.find([position])).toEqual({ events: [], damaged: [position] });
    await derived(ledger);
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

  test('a damaged pack is recorded and costs nobody else an event', async () => {
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

  test('a day in pieces: slices follow each other, and a large bucket is given in parts', async () => {
    const { ledger, history, clock } = await setup();
    const writer = await ledger.openWriter();
    const count = 66_000;
    for (let i = 0; i < count; i += 2_000) {
      await writer.append(upTo(2_000).map((n) => entryOf(`u-${(i + n) % 4}`, i + n)));
    }
    clock.now = start + 2 * dayMicros;
    await passedByAll();
    expect(await history.pack(today)).toMatchObject({ outcome: 'packed', events: count });
    expect((await pool.query('select from ledger_slice')).rowCount).toBe(2);
    expect(await everything(ledger, 5_000)).toHaveLength(count);
    const found = (await ledger.newest({ player_hash: playerHash(1, 'u-1') }, 50)).events.map(numberOf);
    expect(found).toEqual(upTo(50).map((i) => count - 3 - 4 * i));
    await writer.close();
  });

  test('blocks that were never compressed, and those of a block of one event, pack as well', async () => {
    const { ledger, history, clock } = await setup();
    const writer = await ledger.openWriter();
    await writer.append([entryOf('u-1', 0)]);
    expect(encodeBlock([entryOf('u-1', 0)])[0]).toBe(0);
    clock.now = start + 2 * dayMicros;
    await derived(ledger);
    expect(await history.pack(today)).toMatchObject({ outcome: 'packed', events: 1 });
    expect(await everything(ledger)).toEqual([0]);
    await writer.close();
  });
});
