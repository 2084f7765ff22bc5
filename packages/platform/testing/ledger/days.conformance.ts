import { expect, test } from 'vitest';
import { type Bucket, type Cursor, type HistoryFilter, type LedgerEvent, playerHash } from '../../src/ledger/index.ts';
import { collect, entryOf, everything, numberOf, numbers, readAll, start, startOf, upTo } from './entries.ts';
import { dayMicros, type MakeLedger, readToTheEnd, today, tomorrow, twoDays } from './stage.ts';

/** Days are packed, read while they are sealed, and dropped, without affecting concurrent readers. */
export function daysConformance(make: MakeLedger): void {
  test('the life of a day: open, closed, packed, dropped', async () => {
    const { ledger, days, clock, close } = await twoDays(make);
    const late = clock.now;
    clock.now = start + dayMicros + 60_000_000;
    expect((await days.days()).map(({ day, state }) => [day, state])).toEqual([
      [today, 'open'],
      [tomorrow, 'open'],
    ]);
    expect(await days.pack(today)).toEqual({ outcome: 'refused', reason: 'open' });
    clock.now = late;
    expect((await days.days()).map(({ day, state }) => [day, state])).toEqual([
      [today, 'closed'],
      [tomorrow, 'closed'],
    ]);
    expect(await days.pack(today)).toMatchObject({ outcome: 'packed', events: 60, unreadable_blocks: 0 });
    expect(await days.days()).toEqual([
      { day: today, state: 'packed', events: 60, bytes: expect.any(Number) },
      { day: tomorrow, state: 'closed', events: null, bytes: expect.any(Number) },
    ]);
    expect(await everything(ledger)).toEqual(upTo(100));
    expect(await days.drop(today, { before: tomorrow })).toEqual({
      outcome: 'dropped',
      events: 60,
      unreadable_blocks: 0,
    });
    expect((await days.days()).map(({ day }) => day)).toEqual([tomorrow]);
    expect(await everything(ledger)).toEqual(upTo(100).slice(60));
    await close();
  });

  test('packing does not change what is read', async () => {
    const { ledger, days, close } = await twoDays(make);
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
    await days.pack(today);
    expect(await read()).toEqual(before);
    await days.pack(tomorrow);
    expect(await read()).toEqual(before);
    expect(await ledger.at(events.map((event) => event.position))).toEqual(events);
    expect(await ledger.at(events.map(({ position, bucket }) => ({ ...position, bucket })))).toEqual(events);
    for (const day of [today, tomorrow]) {
      const own = numbers(await collect(days.readDay(day)));
      expect(own).toEqual(day === today ? upTo(60) : upTo(100).slice(60));
    }
    await close();
  });

  test('a packed day returns every byte and every field', async () => {
    const stage = await make();
    const { ledger, clock } = stage;
    const odd = [
      Buffer.from([0, 255, 254, 0, 10, 13]),
      Buffer.alloc(0),
      Buffer.from('{ "user_id" :\t"\u00e4\\u00e4 " }\n'),
      Buffer.alloc(70_000, 'ab\0'),
    ];
    const writer = await ledger.openWriter();
    for (const [n, body] of odd.entries())
      await writer.append([
        { ...entryOf(`u-${n}`, n, 'payment'), body },
        { ...entryOf('u-9', n), brand_id: 7, body },
      ]);
    await writer.close();
    const byPlace = (a: LedgerEvent, b: LedgerEvent) =>
      a.position.seq - b.position.seq || a.position.index - b.position.index;
    const before = (await readAll(ledger, startOf(ledger), 100)).events.sort(byPlace);
    expect(before.map(({ body }) => hex(body))).toEqual(odd.flatMap((body) => [body, body].map(hex)));
    clock.now += 2 * dayMicros;
    await readToTheEnd(stage);
    expect(await ledger.days.pack(today)).toMatchObject({ outcome: 'packed', events: 8 });
    expect((await readAll(ledger, startOf(ledger), 100)).events.sort(byPlace)).toEqual(before);
    expect((await collect(ledger.days.readDay(today))).sort(byPlace)).toEqual(before);
    expect((await collect(ledger.history({}))).sort(byPlace)).toEqual(before);
  });

  test('a day that a reader has not passed, or whose readers are unknown, is neither packed nor dropped', async () => {
    const { ledger, days, readers, close } = await twoDays(make);
    const refused = { outcome: 'refused', reason: 'not_derived' };
    const stored = new Map(readers);
    readers.set(17, ledger.beginning);
    expect(await days.pack(today)).toEqual(refused);
    expect(await days.drop(today, { before: tomorrow })).toEqual(refused);
    readers.delete(17);
    expect(await days.pack(today)).toEqual(refused);
    readers.clear();
    expect(await days.pack(today)).toEqual(refused);
    for (const [bucket, cursor] of stored) readers.set(bucket, cursor);
    expect(await days.pack(today)).toMatchObject({ outcome: 'packed', events: 60 });
    await close();
  });

  test('a day is read completely before it is sealed and dropped; a day that has grown since then is not dropped', async () => {
    const stage = await twoDays(make);
    const { ledger, days, clock, close } = stage;
    await days.pack(today);
    const sealed = await collect(days.readDay(today));
    expect(numbers(sealed)).toEqual(upTo(60));
    const now = clock.now;
    clock.now = start + 1_000;
    const late = await ledger.openWriter();
    await late.append([entryOf('u-1', 100)]);
    clock.now = now;
    await readToTheEnd(stage);
    const drop = (events: number) => days.drop(today, { before: tomorrow, events });
    expect(await drop(sealed.length)).toEqual({ outcome: 'refused', reason: 'grown' });
    expect(await everything(ledger)).toEqual(upTo(101));
    const again = await collect(days.readDay(today));
    expect(numbers(again)).toEqual([...upTo(60), 100]);
    expect(await drop(again.length)).toMatchObject({ outcome: 'dropped', events: 61 });
    expect(await everything(ledger)).toEqual(upTo(100).slice(60));
    await late.close();
    await close();
  });

  test('a list of the newest events continues at its position if its day is packed between two pages', async () => {
    const { ledger, days, close } = await twoDays(make);
    const whole = (await ledger.newest({}, 1_000)).events.map(numberOf);
    const seen: number[] = [];
    for (let before: string | undefined; ; ) {
      const page = await ledger.newest({}, 9, before);
      seen.push(...page.events.map(numberOf));
      if (seen.length === 27) await days.pack(today);
      if (seen.length === 54) await days.pack(tomorrow);
      if (page.next === null) break;
      before = page.next;
    }
    expect(seen).toEqual(whole);
    await close();
  });

  test('a reader gets each event once, wherever it is when days are packed', async () => {
    for (const limit of [1, 7, 40]) {
      for (const stop of [0, 1, 3, 5]) {
        const { ledger, days, close } = await twoDays(make);
        let cursors = startOf(ledger);
        const events: LedgerEvent[] = [];
        for (let step = 0; ; step++) {
          if (step === stop) await days.pack(today);
          if (step === stop + 2) await days.pack(tomorrow);
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
          expect(ledger.reaches(cursor, all.cursors.get(bucket) ?? ledger.beginning)).toBe(true);
        }
        await close();
      }
    }
  });

  test('what a late writer adds to a packed day is read once, and packed by the next call', async () => {
    const stage = await twoDays(make);
    const { ledger, days, clock, writers, close } = stage;
    await days.pack(today);
    await days.pack(tomorrow);
    const now = clock.now;
    // The clock of a process was wrong by a day, on a new writer and on an existing one.
    clock.now = start;
    const late = await ledger.openWriter();
    await late.append([entryOf('u-1', 100)]);
    await writers[0]?.append([{ ...entryOf('u-2', 101), received_at: start + dayMicros }]);
    clock.now = now;
    expect(await everything(ledger, 7)).toEqual(upTo(102));
    expect((await days.days()).map(({ day, state }) => [day, state])).toEqual([
      [today, 'closed'],
      [tomorrow, 'closed'],
    ]);
    expect(await days.pack(tomorrow)).toEqual({ outcome: 'refused', reason: 'earlier_day' });
    expect(await days.pack(today)).toEqual({ outcome: 'refused', reason: 'not_derived' });
    await readToTheEnd(stage);
    expect(await days.pack(today)).toMatchObject({ outcome: 'packed', events: 61 });
    expect(await days.pack(tomorrow)).toMatchObject({ outcome: 'packed', events: 41 });
    expect(await everything(ledger, 7)).toEqual(upTo(102));
    expect(numbers(await collect(ledger.history({})))).toEqual(upTo(102));
    expect((await ledger.newest({}, 1_000)).events.map(numberOf)).toHaveLength(102);
    await late.close();
    await close();
    expect(await everything(ledger, 7)).toEqual(upTo(102));
  });

  test('packing and dropping are refused while a long reader needs the days unchanged', async () => {
    const { days, close } = await twoDays(make);
    const [one, two] = [await days.hold(), await days.hold()];
    expect(await days.pack(today)).toEqual({ outcome: 'refused', reason: 'busy' });
    await one[Symbol.asyncDispose]();
    expect(await days.drop(today, { before: tomorrow })).toEqual({ outcome: 'refused', reason: 'busy' });
    await two[Symbol.asyncDispose]();
    expect(await days.pack(today)).toMatchObject({ outcome: 'packed' });
    await close();
  });

  test('days are dropped oldest first, only if they are old enough, packed or not; cursors skip dropped days', async () => {
    const { ledger, days, close } = await twoDays(make);
    const { events, cursors } = await readAll(ledger, startOf(ledger), 30);
    expect(await days.drop(today, { before: today })).toEqual({ outcome: 'refused', reason: 'too_young' });
    expect(await days.drop(tomorrow, { before: '2026-06-01' })).toEqual({
      outcome: 'refused',
      reason: 'earlier_day',
    });
    expect(await days.drop(today, { before: tomorrow, events: 59 })).toEqual({
      outcome: 'refused',
      reason: 'grown',
    });
    expect(await everything(ledger)).toEqual(upTo(100));
    const half = await ledger.read(startOf(ledger), 10);
    const standing = new Map([...startOf(ledger), ...half.map((read): [Bucket, Cursor] => [read.bucket, read.cursor])]);
    expect(await days.drop(today, { before: tomorrow })).toMatchObject({ outcome: 'dropped', events: 60 });
    expect(await days.drop(today, { before: tomorrow })).toMatchObject({ outcome: 'dropped', events: 0 });
    expect(await days.pack(tomorrow)).toMatchObject({ outcome: 'packed', events: 40 });
    for (const from of [startOf(ledger), standing]) {
      const read = await readAll(ledger, from, 30);
      expect(numbers(read.events)).toEqual(upTo(100).slice(60));
      for (const [bucket, cursor] of cursors) {
        expect(ledger.reaches(read.cursors.get(bucket) ?? ledger.beginning, cursor)).toBe(true);
      }
    }
    expect(numbers(await ledger.at(events.map((event) => event.position)))).toEqual(upTo(100).slice(60));
    expect((await ledger.find(events.map((event) => event.position))).damaged).toEqual([]);
    expect(numbers(await collect(ledger.history({})))).toEqual(upTo(100).slice(60));
    expect(await ledger.lag(cursors)).toEqual({ blocks: 0, oldest_received_at: null });
    await close();
    expect(await days.drop(tomorrow, { before: '2026-06-01' })).toMatchObject({ outcome: 'dropped', events: 40 });
    expect((await readAll(ledger, startOf(ledger), 30)).events).toEqual([]);
    expect(await days.days()).toEqual([]);
  });
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex');
}
