import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { PoolClient } from 'pg';
import { expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { plainTables, realPart, type Step, start, steps, type ToyPart } from '../../../testing/derive/totals/plain.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { totalsOf } from './store.ts';

/*
 * Tests the statements in a real database. Random changes of a toy family, some in one transaction, by two alternating
 * workers, must produce the four tables that the parts in force give. The tables are exactly those of README.md.
 */

const { pool } = await setupDatabase();
const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
const ddl = readme.split('```sql')[1]?.split('```')[0];
if (ddl === undefined) throw new Error('README.md has no tables');
await pool.query(ddl);
await pool.query(`create table live.toy_part (fact int, player_id bigint, at timestamptz, day date, vendor_id text,
  toy_biggest numeric, toy_at timestamptz)`);
const { brand } = await createBrand(pool);
// Players 1 to 3: the first of their buckets.
await pool.query(
  `insert into player (number, brand_id, user_id, bucket) overriding system value
   select 0, $1, n, n from generate_series(1, 3) n`,
  [brand.brand_id],
);

const toys = totalsOf({
  family: 'toy',
  by: ['vendor_id'],
  counts: ['toy_count'],
  sums: ['toy_sum'],
  biggest: ['toy_biggest'],
  dated: ['toy'],
  facts: 'select * from toy_part',
});

async function inLive<T>(work: (tx: PoolClient) => Promise<T>): Promise<T> {
  return transaction(pool, async (tx) => {
    await tx.query('set local search_path = live, public');
    return work(tx);
  });
}

async function clear(): Promise<void> {
  await pool.query('truncate live.toy_part, live.toy_total, live.toy_day, live.toy_hour, live.toy_brand_day');
}

/** What the facts added before, and their parts in force. */
class Facts {
  readonly #held = new Map<number, readonly ToyPart[]>();

  async apply(tx: PoolClient, batch: readonly Step[], source: number): Promise<void> {
    const last = [...new Map(batch.map((step) => [step.fact, step])).values()];
    const changes = last.map(({ fact, parts }) => ({
      brand_id: brand.brand_id,
      before: (this.#held.get(fact) ?? []).map(realPart),
      after: parts.map(realPart),
    }));
    for (const { fact, parts } of last) {
      this.#held.set(fact, parts);
      await tx.query('delete from toy_part where fact = $1', [fact]);
      for (const part of parts.filter(({ count, sum }) => count + sum > 0).map(realPart)) {
        await tx.query('insert into toy_part values ($1, $2, $3, $4, $5, $6, $7)', [
          fact,
          part.player_id,
          timestamptzText(part.at),
          part.day,
          part.by?.vendor_id,
          part.biggest?.toy_biggest,
          part.dated && timestamptzText(part.at),
        ]);
      }
    }
    await toys.change(tx, changes, { now: start, source });
  }
}

async function expectTables(history: readonly Step[]): Promise<void> {
  const plain = plainTables(history);
  const rows = async (table: string, key: string, extremes: string) => {
    const text = `select ${key} as key, toy_count as count, toy_sum::int as sum, ${extremes} from live.${table}`;
    const { rows: found } = await pool.query<{ key: string }>(text);
    return new Map(found.map(({ key: name, ...row }) => [name, row]));
  };
  const dates = 'toy_biggest::int as biggest, toy_first_at as first, toy_last_at as last';
  expect(await rows('toy_total', `player_id || ' ' || vendor_id`, dates)).toEqual(plain.total);
  const biggest = 'toy_biggest::int as biggest';
  const undated = (of: typeof plain.day) =>
    new Map([...of].map(([key, { count, sum, biggest }]) => [key, { count, sum, biggest }]));
  expect(await rows('toy_day', `player_id || ' ' || day || ' ' || vendor_id`, biggest)).toEqual(undated(plain.day));
  const hour = `player_id || ' ' || (extract(epoch from hour) * 1000000)::bigint`;
  expect(await rows('toy_hour', hour, biggest)).toEqual(undated(plain.hour));
  const { rows: brandDays } = await pool.query<{ day: string; players: number; count: number; sum: number }>(
    `select day, sum(players)::int as players, sum(toy_count)::int as count, sum(toy_sum)::int as sum
     from live.toy_brand_day group by day having sum(players) <> 0 or sum(toy_count) <> 0 or sum(toy_sum) <> 0`,
  );
  expect(new Map(brandDays.map(({ day, ...row }) => [day, row]))).toEqual(plain.brand);
  expect(await toys.rollup.differences(pool, brand.brand_id)).toEqual([]);
}

test('any changes, in batches and transactions of any size, produce the rows of the parts in force', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), fc.boolean(), async (history, size, together) => {
      await clear();
      const facts = new Facts();
      const batches: Step[][] = [];
      for (let from = 0; from < history.length; from += size) batches.push(history.slice(from, from + size));
      const apply = (batch: Step[], i: number) => (tx: PoolClient) => facts.apply(tx, batch, i % 2);
      // Several calls in one transaction, each behind a savepoint, as when a failed batch is narrowed down.
      if (together) {
        await inLive(async (tx) => {
          for (const [i, batch] of batches.entries()) {
            await tx.query('savepoint narrow');
            await apply(batch, i)(tx);
            await tx.query('release savepoint narrow');
          }
        });
      } else {
        for (const [i, batch] of batches.entries()) await inLive(apply(batch, i));
      }
      await expectTables(history);
    }),
    { numRuns: 150 },
  );
}, 60_000);

const toy = { player: 1, hour: 1, minute: 0, vendor: 'v', count: 1, sum: 5, biggest: 5 };

test('a fact that grows, or moves within its rows, causes no re-read and no deletion', async () => {
  await clear();
  const facts = new Facts();
  await inLive((tx) => facts.apply(tx, [{ fact: 0, parts: [toy] }], 0));
  const statements: string[] = [];
  await inLive(async (tx) => {
    const query = tx.query.bind(tx) as (...args: unknown[]) => Promise<unknown>;
    Object.assign(tx, {
      query: (...args: unknown[]) => {
        const [given] = args;
        if (typeof given === 'object' && given !== null && 'name' in given) statements.push(String(given.name));
        return query(...args);
      },
    });
    await facts.apply(tx, [{ fact: 0, parts: [toy, { ...toy, minute: 1, sum: 20, biggest: 20 }] }], 0);
    Object.assign(tx, { query });
  });
  expect(statements).toEqual(['toy_day_add', 'toy_total_add', 'toy_hour_add', 'toy_brand_day_add']);
});

test('players of a day are counted once, whatever rows they have, and no longer after the last row is deleted', async () => {
  await clear();
  const facts = new Facts();
  const players = async () => {
    const { rows } = await pool.query<{ players: number }>(
      'select sum(players)::int as players from live.toy_brand_day',
    );
    return rows[0]?.players;
  };
  await inLive((tx) =>
    facts.apply(
      tx,
      [
        { fact: 0, parts: [toy] },
        { fact: 1, parts: [{ ...toy, vendor: 'w' }] },
      ],
      0,
    ),
  );
  expect(await players()).toBe(1);
  await inLive((tx) => facts.apply(tx, [{ fact: 2, parts: [{ ...toy, player: 2 }] }], 1));
  expect(await players()).toBe(2);
  await inLive((tx) => facts.apply(tx, [{ fact: 0, parts: [] }], 1));
  expect(await players()).toBe(2);
  await inLive((tx) => facts.apply(tx, [{ fact: 1, parts: [] }], 1));
  expect(await players()).toBe(1);
});

test('a roll-up that differs from the sum of its players is reported, and corrected when their rows are replaced', async () => {
  await clear();
  const facts = new Facts();
  await inLive((tx) => facts.apply(tx, [{ fact: 0, parts: [toy, { ...toy, player: 2, sum: 7 }] }], 0));
  await pool.query('create schema rebuilt; create table rebuilt.toy_day (like live.toy_day)');
  await pool.query(
    `insert into rebuilt.toy_day select player_id, day, vendor_id, 3, 30, 10 from live.toy_day where player_id = 2`,
  );
  await pool.query(
    `insert into rebuilt.toy_day select player_id, '2026-04-30', vendor_id, 1, 1, 1 from live.toy_day where player_id = 2`,
  );
  await inLive(async (tx) => {
    await toys.rollup.correct(tx, 'rebuilt', [1, 2], 3);
    await tx.query('truncate live.toy_day; insert into live.toy_day select * from rebuilt.toy_day');
  });
  expect(await toys.rollup.differences(pool, null)).toEqual([]);
  await pool.query(`update live.toy_day set toy_sum = 1 where day = '2026-04-29'`);
  expect(await toys.rollup.differences(pool, null)).toEqual([
    {
      table: 'toy_brand_day',
      brand_id: brand.brand_id,
      day: '2026-04-29',
      rollup: { players: 1, toy_count: 3, toy_sum: 30 },
      players: { players: 1, toy_count: 3, toy_sum: 1 },
    },
  ]);
});
