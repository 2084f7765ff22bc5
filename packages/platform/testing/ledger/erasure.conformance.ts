import { expect, test } from 'vitest';
import { type Ledger, type LedgerEvent, type LedgerPosition, playerHash } from '../../src/ledger/index.ts';
import { collect, entryOf, everything, numberOf, numbers, readAll, startOf, upTo } from './entries.ts';
import {
  dayMicros,
  killing,
  type LedgerStage,
  type MakeLedger,
  readToTheEnd,
  today,
  tomorrow,
  twoDays,
} from './stage.ts';

const brand_id = 1;
/** Every 17th event of `twoDays`, on both days. */
const ann = { brand_id, player_hash: playerHash(brand_id, 'u-3'), isTheirs: () => true };
const annsNumbers = upTo(100).filter((n) => n % 17 === 3);
const othersNumbers = upTo(100).filter((n) => n % 17 !== 3);

/** What each way of reading the ledger returns about a player, by the name of the way. */
async function foundOf(ledger: Ledger, player_hash: bigint, places: readonly LedgerPosition[]) {
  const ofPlayer = (events: readonly LedgerEvent[]) => numbers(events.filter((one) => one.player_hash === player_hash));
  const { events, damaged } = await ledger.find(places);
  const byDay = [];
  for (const { day } of await ledger.days.days()) byDay.push(...(await collect(ledger.days.readDay(day))));
  return {
    read: ofPlayer((await readAll(ledger, startOf(ledger), 13)).events),
    history: ofPlayer(await collect(ledger.history({}))),
    playerHistory: numbers(await collect(ledger.history({ brand_id, player_hash }))),
    newest: ofPlayer((await ledger.newest({}, 1_000)).events),
    playerNewest: numbers((await ledger.newest({ brand_id, player_hash }, 1_000)).events),
    at: numbers(await ledger.at(places)),
    find: numbers(events),
    damaged: damaged.length,
    days: ofPlayer(byDay),
  };
}

const everywhere = (found: readonly number[]) => ({
  read: found,
  history: found,
  playerHistory: found,
  newest: found,
  playerNewest: found,
  at: found,
  find: found,
  damaged: 0,
  days: found,
});

async function placesOf(ledger: Ledger): Promise<LedgerPosition[]> {
  return (await collect(ledger.history({ player_hash: ann.player_hash }))).map(({ position }) => position);
}

/** The events that an erasure reports before it deletes them. */
function told() {
  const tellings: number[][] = [];
  return { tellings, beforeErased: async (events: readonly LedgerEvent[]) => void tellings.push(numbers(events)) };
}

/** The forms in which a ledger stores two days: unpacked, one packed, both packed. */
const forms = [
  ['blocks', []],
  ['a packed day and blocks', [today]],
  ['packed days', [today, tomorrow]],
] as const;

/** Erased events are permanently removed from the ledger; all other events stay unchanged. */
export function erasureConformance(make: MakeLedger): void {
  test.each(forms)('leaves nothing of the player in any way of reading: %s', async (_name, packed) => {
    const { ledger, days, close } = await twoDays(make);
    for (const day of packed) expect(await days.pack(day)).toMatchObject({ outcome: 'packed' });
    const places = await placesOf(ledger);
    expect(await foundOf(ledger, ann.player_hash, places)).toEqual(everywhere(annsNumbers));

    const first = told();
    expect(await ledger.eraser.erasePlayer(ann, first)).toMatchObject({ events: annsNumbers.length, unreadable: 0 });
    expect(first.tellings.flat().sort((a, b) => a - b)).toEqual(annsNumbers);
    expect(await foundOf(ledger, ann.player_hash, places)).toEqual(everywhere([]));
    expect(await everything(ledger)).toEqual(othersNumbers);

    const again = told();
    expect(await ledger.eraser.erasePlayer(ann, again), 'once more').toMatchObject({ events: 0, blocks: 0, packs: 0 });
    expect(again.tellings).toEqual([]);
    await ledger.eraser.purge();
    expect(await everything(ledger)).toEqual(othersNumbers);

    const left = othersNumbers.filter((n) => n < 60).length;
    expect(await days.pack(today), 'a day counts what is left').toMatchObject({ outcome: 'packed', events: left });
    expect(await foundOf(ledger, ann.player_hash, places)).toEqual(everywhere([]));
    expect(await days.drop(today, { before: tomorrow, events: left })).toMatchObject({ events: left });
    await close();
  });

  test('deletes only events whose body belongs to the player: two players may share a hash', async () => {
    const { ledger } = await make();
    const writer = await ledger.openWriter();
    const twin = (number: number) => ({ ...entryOf('ben', number), player_hash: ann.player_hash });
    await writer.append([entryOf('u-3', 0), twin(1), entryOf('u-3', 2), twin(3)]);
    const isTheirs = (event: LedgerEvent) => event.body.includes('"u-3"');
    expect(await ledger.eraser.erasePlayer({ ...ann, isTheirs })).toMatchObject({ events: 2 });
    expect(await everything(ledger)).toEqual([1, 3]);
    await writer.close();
  });

  test('reports events before it deletes them', async () => {
    const { ledger, days, close } = await twoDays(make);
    await days.pack(today);
    const found: number[] = [];
    await ledger.eraser.erasePlayer(ann, {
      beforeErased: async (events) => {
        found.push(...(await ledger.at(events.map(({ position }) => position))).map(numberOf));
      },
    });
    expect(found.sort((a, b) => a - b)).toEqual(annsNumbers);
    await close();
  });

  test(
    'an erasure that is killed is completed by the next call, which reports the remaining events again',
    killing,
    async () => {
      const { ledger, days, crash, close } = await twoDays(make, { ownServer: true });
      await days.pack(today);
      const places = await placesOf(ledger);
      const first = told();
      const killed = ledger.eraser.erasePlayer(ann, {
        beforeErased: async (events) => {
          await first.beforeErased(events);
          if (first.tellings.length === 2) await crash();
        },
      });
      await expect(killed).rejects.toThrow();
      const [gone = [], toldAndThere = []] = first.tellings;
      expect((await foundOf(ledger, ann.player_hash, places)).read).toEqual(
        annsNumbers.filter((n) => !gone.includes(n)),
      );

      const second = told();
      await ledger.eraser.erasePlayer(ann, second);
      expect(second.tellings.flat()).toEqual(expect.arrayContaining(toldAndThere));
      expect(new Set([...gone, ...second.tellings.flat()])).toEqual(new Set(annsNumbers));
      expect(await foundOf(ledger, ann.player_hash, places)).toEqual(everywhere([]));
      expect(await everything(ledger)).toEqual(othersNumbers);
      await close();
    },
  );

  test('an erasure whose report fails leaves the events; a stop ends it at its next page', async () => {
    const { ledger, close } = await twoDays(make);
    const refuse = async () => Promise.reject(new Error('not now'));
    // Each erasure follows immediately, because a failed one blocks no other.
    for (let times = 0; times < 20; times++)
      await expect(ledger.eraser.erasePlayer(ann, { beforeErased: refuse })).rejects.toThrow('not now');
    const signal = AbortSignal.abort(new Error('stopping'));
    await expect(ledger.eraser.erasePlayer(ann, { signal })).rejects.toThrow('stopping');
    expect(await everything(ledger)).toEqual(upTo(100));
    await close();
  });

  test('does not wait: while a day is being packed, it reports that and changes nothing', async () => {
    const { ledger, days, close } = await twoDays(make);
    const tellings = told();
    const answers: unknown[] = [];
    await days.pack(today, undefined, async () => {
      answers.push(await ledger.eraser.erasePlayer(ann, tellings), await ledger.eraser.eraseAt([], () => true));
    });
    expect(answers).toEqual(['busy', 'busy']);
    expect(tellings.tellings).toEqual([]);
    expect(await everything(ledger)).toEqual(upTo(100));
    await close();
  });

  test('deletes events at positions, packed or not', async () => {
    const { ledger, days, close } = await twoDays(make);
    const events = await collect(ledger.history({ player_hash: ann.player_hash }));
    const places = events.map(({ position: { writer_id, seq }, bucket }) => ({ writer_id, seq, bucket }));
    await days.pack(today);
    const isTheirs = (event: LedgerEvent) => event.player_hash === ann.player_hash;
    expect(await ledger.eraser.eraseAt(places, isTheirs)).toMatchObject({ events: annsNumbers.length });
    expect(await ledger.eraser.eraseAt(places, isTheirs)).toMatchObject({ events: 0 });
    expect(await everything(ledger)).toEqual(othersNumbers);
    await close();
  });

  test('readers of packs, blocks and searches continue, and miss nothing of the other players', async () => {
    const stage = await make();
    const { ledger, clock } = stage;
    await appendOfFour(stage, 0, 160);
    clock.now += 2 * dayMicros;
    await readToTheEnd(stage);
    expect(await ledger.days.pack(today)).toMatchObject({ outcome: 'packed', events: 160 });
    await appendOfFour(stage, 160, 320);
    const whole = { brand_id, player_hash: playerHash(brand_id, 'ann'), isTheirs: () => true };
    const isAnothers = (n: number) => n % 4 !== 0;
    const others = upTo(320).filter(isAnothers);

    const search = ledger.history({ brand_id })[Symbol.asyncIterator]();
    const newest = await ledger.newest({ brand_id }, 200);
    const half = await ledger.read(new Map([...startOf(ledger)].slice(0, 32)), 20);
    const first: LedgerEvent[] = (await search.next()).value ?? [];
    const positions = first.map(({ position }) => position);

    expect(await ledger.eraser.erasePlayer(whole)).toMatchObject({ events: 80, unreadable: 0 });

    const rest = [...first];
    for (let page = await search.next(); !page.done; page = await search.next()) rest.push(...page.value);
    expect(numbers(rest).filter(isAnothers)).toEqual(others);
    const older = await ledger.newest({ brand_id }, 200, newest.next ?? undefined);
    expect(numbers([...newest.events, ...older.events]).filter(isAnothers)).toEqual(others);
    const cursors = new Map([...startOf(ledger), ...half.map(({ bucket, cursor }) => [bucket, cursor] as const)]);
    const read = await readAll(ledger, cursors, 20);
    const both = [...half.flatMap(({ events }) => events), ...read.events];
    expect(numbers(both).filter(isAnothers)).toEqual(others);

    expect(numbers((await readAll(ledger, startOf(ledger), 50)).events)).toEqual(others);
    expect(numbers(await ledger.at(positions))).toEqual(numbers(first).filter(isAnothers));
    expect(await ledger.eraser.erasePlayer(whole), 'once more').toMatchObject({ events: 0 });
  });
}

const players = ['ann', 'bob', 'carl', 'dora'];

/** Blocks of eight; every fourth event is ann's. */
async function appendOfFour({ ledger, clock }: LedgerStage, from: number, to: number): Promise<void> {
  const writer = await ledger.openWriter();
  for (let n = from; n < to; n += 8) {
    const entries = Array.from({ length: 8 }, (_, i) => entryOf(players[(n + i) % players.length] ?? '', n + i));
    await writer.append(entries.map((entry) => ({ ...entry, received_at: clock.now + n })));
  }
  await writer.close();
}
