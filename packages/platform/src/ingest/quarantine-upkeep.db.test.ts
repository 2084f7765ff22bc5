import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createBrand } from '../../testing/brand.ts';
import { testClock } from '../../testing/clock.ts';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import { timestamptzText } from '../database/index.ts';
import { comingRemovals, removeExcess } from './quarantine-age.ts';
import { keepInvalid } from './quarantine-store.ts';
import { QuarantineUpkeep } from './quarantine-upkeep.ts';

const { pool } = await setupDatabase();
const clock = testClock();
const day = 86_400_000_000;

async function setup(settings: Record<string, unknown> = {}) {
  const { brand } = await createBrand(pool, settings);
  const keep = async (name: string, daysAgo: number, { state = 'open', isJson = true } = {}) => {
    await pool.query(
      `insert into quarantine (brand_id, kind, body_sha256, body, reasons, first_at, last_at, state, unreadable)
       values ($1, 'payment', $2, $3, '[]', $5, $5, $6, $4)`,
      [
        brand.brand_id,
        hash('sha256', name, 'buffer'),
        Buffer.from(name),
        !isJson,
        timestamptzText(clock.now() - daysAgo * day),
        state,
      ],
    );
  };
  const left = async () => {
    const { rows } = await pool.query<{ body: Buffer }>(
      'select body from quarantine where brand_id = $1 order by quarantine_id',
      [brand.brand_id],
    );
    return rows.map(({ body }) => body.toString());
  };
  const upkeep = new QuarantineUpkeep({ pool, brands: { all: () => [brand] }, clock: clock.now, log: testLog });
  return { brand, keep, left, upkeep };
}

test('a body is removed after the days that its brand sets, or after 30 days if it is not JSON', async () => {
  const { brand, keep, left, upkeep } = await setup();
  await keep('young', 89);
  await keep('old', 91);
  await keep('done', 91, { state: 'dismissed' });
  await keep('no json, young', 29, { isJson: false });
  await keep('no json, old', 31, { isJson: false });
  const of = { brand_id: brand.brand_id, quarantine_days: brand.settings.quarantine_days };
  expect(await comingRemovals(pool, of, clock.now())).toMatchObject({ expiring: 4, nearly_full: null });
  expect(await upkeep.runOnce()).toEqual({ removed: 3 });
  expect(await left()).toEqual(['young', 'no json, young']);
  expect(await comingRemovals(pool, of, clock.now())).toEqual({
    expiring: 2,
    first_at: clock.now() + day,
    nearly_full: null,
  });
});

test('a brand can keep all bodies for a shorter time', async () => {
  const { keep, left, upkeep } = await setup({ quarantine_days: 7 });
  await keep('young', 6);
  await keep('old', 8);
  await keep('no json', 8, { isJson: false });
  await upkeep.runOnce();
  expect(await left()).toEqual(['young']);
});

test('beyond the limit, resolved bodies are removed first, then the oldest', async () => {
  const { brand, keep, left } = await setup();
  await keep('oldest', 9);
  await keep('older', 8);
  await keep('newest', 1);
  await keep('dealt with', 0, { state: 'reinjected' });
  expect(await removeExcess(pool, { brand_id: brand.brand_id }, 2)).toEqual({ removed: 2, open: 1 });
  expect(await left()).toEqual(['older', 'newest']);
  expect(await removeExcess(pool, { brand_id: brand.brand_id }, 2)).toEqual({ removed: 0, open: 0 });
});

test('a body that is not JSON is marked as such', async () => {
  const { brand, keep } = await setup();
  await keep('by hand', 0);
  const body = (text: string, rule: string) => ({
    brand_id: brand.brand_id,
    kind: 'payment' as const,
    body_sha256: hash('sha256', text, 'buffer'),
    body: Buffer.from(text),
    reasons: [{ path: '', rule, message: '' }],
    user_id: null,
    tries: 1,
    at: clock.now(),
  });
  await keepInvalid(pool, [body('{"a', 'json'), body('{}', 'required')]);
  const { rows } = await pool.query(
    'select convert_from(body, $2) as body from quarantine where brand_id = $1 and unreadable',
    [brand.brand_id, 'UTF8'],
  );
  expect(rows).toEqual([{ body: '{"a' }]);
});
