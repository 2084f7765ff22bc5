import { pino } from 'pino';
import { expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { entryOf, numberOf, readAll, start, startOf } from '../../testing/ledger/ledger.conformance.ts';
import { storedCursors } from '../buckets/index.ts';
import { connectionConfig } from '../database/index.ts';
import { beginning } from './cursor.ts';
import { PostgresLedgerEraser } from './erase.ts';
import { PostgresLedgerHistory } from './history.ts';
import type { LedgerEvent } from './ledger.ts';
import { playerHash } from './player-hash.ts';
import { PostgresLedger } from './postgres-ledger.ts';

const { pool, url } = await setupDatabase();
const log = pino({ level: 'silent' });
const clock = { now: start };
const now = () => clock.now;
const connection = connectionConfig(url, { name: 'test' });
const ledger = new PostgresLedger({ pool, connection, process: 'test', now, log });
const history = new PostgresLedgerHistory({ pool, now, log, readers: () => storedCursors(pool, beginning) });
const eraser = new PostgresLedgerEraser(pool);
const players = ['ann', 'bob', 'carl', 'dora'];
const { brand_id } = entryOf('ann', 0);
const whole = { brand_id, player_hash: playerHash(brand_id, 'ann'), isTheirs: () => true };
const numbers = (events: readonly LedgerEvent[]) => events.map(numberOf).sort((a, b) => a - b);
/** The numbers of all but ann, who has every fourth. */
const others = (count: number) => Array.from({ length: count }, (_, n) => n).filter((n) => n % players.length !== 0);

async function append(from: number, to: number): Promise<void> {
  const writer = await ledger.openWriter();
  for (let n = from; n < to; n += 8) {
    const entries = Array.from({ length: 8 }, (_, i) => entryOf(players[(n + i) % players.length] ?? '', n + i));
    await writer.append(entries.map((entry) => ({ ...entry, received_at: now() + n })));
  }
  await writer.close();
}

async function derived(): Promise<void> {
  await pool.query(
    `update bucket set cursor = jsonb_build_object('floor', (select max(writer_id) from ledger_writer), 'at', '{}'::jsonb)`,
  );
}

test('readers in the middle of packs, blocks and searches go on, and miss nothing of the other players', async () => {
  await append(0, 160);
  clock.now += 2 * 86_400_000_000;
  await derived();
  expect(await history.pack('2026-05-01')).toMatchObject({ outcome: 'packed', events: 160 });
  await append(160, 320);

  const search = ledger.history({ brand_id })[Symbol.asyncIterator]();
  const newest = await ledger.newest({ brand_id }, 200);
  const half = await ledger.read(new Map([...startOf(ledger)].slice(0, 32)), 20);
  const first: LedgerEvent[] = (await search.next()).value ?? [];
  const positions = first.map(({ position }) => position);

  expect(await eraser.erasePlayer(whole)).toMatchObject({ events: 80, packs: 1, blocks: 20, unreadable: 0 });

  const rest = [...first];
  for (let page = await search.next(); !page.done; page = await search.next()) rest.push(...page.value);
  expect(numbers(rest).filter((n) => n % 4 !== 0)).toEqual(others(320));
  const older = await ledger.newest({ brand_id }, 200, newest.next ?? undefined);
  expect(numbers([...newest.events, ...older.events]).filter((n) => n % 4 !== 0)).toEqual(others(320));
  const cursors = new Map([...startOf(ledger), ...half.map(({ bucket, cursor }) => [bucket, cursor] as const)]);
  const read = await readAll(ledger, cursors, 20);
  const both = [...half.flatMap(({ events }) => events), ...read.events];
  expect(numbers(both).filter((n) => n % 4 !== 0)).toEqual(others(320));

  expect(numbers((await readAll(ledger, startOf(ledger), 50)).events)).toEqual(others(320));
  expect(numbers(await ledger.at(positions))).toEqual(numbers(first).filter((n) => n % 4 !== 0));
  expect(await eraser.erasePlayer(whole), 'once more').toMatchObject({ events: 0 });
});

test('a day with erased events is packed, read and dropped by what is left; a packer at work is not disturbed', async () => {
  clock.now += 2 * 86_400_000_000;
  await derived();
  expect(await history.pack('2026-05-03')).toMatchObject({ outcome: 'packed', events: 120 });
  const client = await pool.connect();
  await client.query('select pg_advisory_lock($1)', [0x6c_65_66]);
  expect(await eraser.erasePlayer(whole)).toBe('busy');
  await client.query('select pg_advisory_unlock($1)', [0x6c_65_66]);
  client.release();
  expect(await history.drop('2026-05-01', { before: '2026-05-04', events: 120 })).toMatchObject({
    outcome: 'dropped',
    events: 120,
  });
});
