import { expect, test } from 'vitest';
import { playerHash } from '../../src/ledger/index.ts';
import { collect, entryOf, everything, numbers, readAll, startOf, upTo } from './entries.ts';
import { killing, type MakeLedger, today, twoDays } from './stage.ts';

/** Acknowledged data is still there after the server was killed in the middle of its work. */
export function durabilityConformance(make: MakeLedger): void {
  test('an acknowledged append survives if the server is killed while writers append', killing, async () => {
    const { ledger, crash } = await make({ ownServer: true });
    const writers = await Promise.all(upTo(3).map(() => ledger.openWriter()));
    const acknowledged: number[] = [];
    const busy = Promise.withResolvers<void>();
    let next = 0;
    const appending = writers.map(async (writer) => {
      for (;;) {
        const number = next++;
        await writer.append([entryOf(`u-${number % 7}`, number)]);
        acknowledged.push(number);
        if (acknowledged.length === 60) busy.resolve();
      }
    });
    const ended = Promise.allSettled(appending);
    await busy.promise;
    const before = await readAll(ledger, startOf(ledger), 50);
    await crash();
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);

    const after = await readAll(ledger, startOf(ledger), 50);
    const stored = numbers(after.events);
    expect(new Set(stored).size, 'each once').toBe(stored.length);
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
    expect(stored.length - acknowledged.length, 'and of the others only those that were on their way').toBeLessThan(4);
    const rest = await readAll(ledger, before.cursors, 50);
    expect(numbers([...before.events, ...rest.events]), 'a reader continues where it was').toEqual(stored);
    for (const writer of writers) await writer.close();
  });

  test('writers reconnect after the server was killed, and their new events follow the old ones', killing, async () => {
    const { ledger, crash } = await make({ ownServer: true });
    const first = await ledger.openWriter();
    await first.append([entryOf('u-1', 0), entryOf('u-2', 1)]);
    const { cursors } = await readAll(ledger, startOf(ledger), 10);
    await crash();
    await expect(first.append([entryOf('u-1', 2)])).rejects.toThrow();
    const second = await ledger.openWriter();
    await second.append([entryOf('u-1', 2)]);
    expect(numbers((await readAll(ledger, cursors, 10)).events)).toEqual([2]);
    expect(numbers(await collect(ledger.history({ player_hash: playerHash(1, 'u-1') })))).toEqual([0, 2]);
    await first.close();
    await second.close();
  });

  test('a day whose packing was killed has each event once, and is packed by the next call', killing, async () => {
    const { ledger, days, crash, close } = await twoDays(make, { ownServer: true });
    let crashing: Promise<void> | undefined;
    // Between one slice of the day and the next.
    const killed = days.pack(today, undefined, async () => {
      crashing = crash();
      await crashing;
    });
    await expect(killed).rejects.toThrow();
    await crashing;
    expect(await everything(ledger)).toEqual(upTo(100));
    expect(numbers(await collect(days.readDay(today)))).toEqual(upTo(60));
    expect(await days.pack(today)).toMatchObject({ outcome: 'packed', events: 60 });
    expect(await everything(ledger)).toEqual(upTo(100));
    await close();
  });

  test('a day whose dropping was killed is there completely, or not at all', killing, async () => {
    const { ledger, days, crash, close } = await twoDays(make, { ownServer: true });
    const dropping = days.drop(today, { before: '2026-06-01' });
    await Promise.allSettled([dropping, crash()]);
    const left = await everything(ledger);
    expect([40, 100]).toContain(left.length);
    expect(left).toEqual(upTo(100).slice(-left.length));
    expect(await days.drop(today, { before: '2026-06-01' })).toMatchObject({ outcome: 'dropped' });
    expect(await everything(ledger)).toEqual(upTo(100).slice(60));
    await close();
  });
}
