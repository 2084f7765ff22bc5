import { expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { overlapOfVersions } from './overlap.ts';

const { pool } = await setupDatabase();
const { brand } = await createBrand(pool);
const [even, third] = [7, 8];

await pool.query(
  `insert into player (brand_id, user_id, bucket) select $1, 'p' || n, n % 64 from generate_series(1, 3000) n`,
  [brand.brand_id],
);
// Every second player is a member of one version, and every third of the last 300 of the other.
await pool.query(
  `insert into segment_member (player_id, version_id, protected, since)
   select player_id, version_id, number % 50 = 0, now()
     from (select player_id, substr(user_id, 2)::int as number from player) p cross join (values ($1::int), ($2::int)) v (version_id)
    where case version_id when $1 then number % 2 = 0 else number % 3 = 0 and number > 2700 end`,
  [even, third],
);
await pool.query(`update player set erased_at = now() where user_id in ('p2706', 'p2')`);
await pool.query(
  `insert into player_protection (player_id, brand_id, excluded, blocked)
   select player_id, brand_id, true, false from player where user_id in ('p2712', 'p4')`,
);

/** The numbers of the players of all pages, and the number of pages. */
async function readAll(page: { version: number; other: number | undefined; isInOther: boolean }) {
  const found: number[] = [];
  let pages = 0;
  for (let after: number | null | undefined; after !== null; pages++) {
    const read = await overlapOfVersions(pool, { ...page, after, limit: 20, portion: 200 });
    expect(read.members.length).toBeLessThanOrEqual(20);
    found.push(...read.members.map(({ user_id }) => Number(user_id.slice(1))));
    after = read.next;
  }
  return { found, pages };
}

const numbers = Array.from({ length: 3000 }, (_, index) => index + 1).filter(
  (number) => number % 50 !== 0 && ![2, 4, 2706, 2712].includes(number),
);
const isEven = (number: number) => number % 2 === 0;
const isThird = (number: number) => number % 3 === 0 && number > 2700;

test('the pages list the members of both, or of one only, each once and in order, without protected and erased players', async () => {
  const both = await readAll({ version: even, other: third, isInOther: true });
  expect(both.found).toEqual(numbers.filter((number) => isEven(number) && isThird(number)));
  expect(await readAll({ version: third, other: even, isInOther: true })).toMatchObject({ found: both.found });
  const only = await readAll({ version: even, other: third, isInOther: false });
  expect(only.found).toEqual(numbers.filter((number) => isEven(number) && !isThird(number)));
  const other = await readAll({ version: third, other: even, isInOther: false });
  expect(other.found).toEqual(numbers.filter((number) => isThird(number) && !isEven(number)));
  const whole = await readAll({ version: third, other: undefined, isInOther: false });
  expect(whole.found).toEqual(numbers.filter(isThird));
});

test('a page that finds nobody in its portion is empty, and the next one continues after it', async () => {
  const page = { version: even, other: third, isInOther: true, limit: 20, portion: 200, after: undefined };
  const { members, next } = await overlapOfVersions(pool, page);
  expect(members).toEqual([]);
  expect(next).not.toBeNull();
  const { pages } = await readAll(page);
  expect(pages).toBeGreaterThan(1);
});
