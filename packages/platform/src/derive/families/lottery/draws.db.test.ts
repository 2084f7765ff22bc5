import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import { type DrawBody, drawBody, lotteryBody, said } from '../../../../testing/derive/families/lottery/plain-draws.ts';
import { arrivalsOf } from '../../../../testing/derive/histories.ts';
import { setupStage } from '../../../../testing/derive/stage.ts';
import { listDraws } from './index.ts';

const stage = await setupStage();
const { pool } = stage;

test('the calendar is a function of the events, whatever their order and batches', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(drawBody, { minLength: 1, maxLength: 12 })
        .chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      async ([bodies, batches]) => {
        const { brand } = await createBrand(pool);
        for (const batch of batches) {
          await stage.publish(...batch.map((body) => ({ kind: 'lottery' as const, body: lotteryBody(body), brand })));
          await stage.derive();
        }
        const draws = await listDraws(pool, brand.brand_id, {}, 10);
        expect(draws.map(({ draw_id }) => draw_id).sort()).toEqual([...new Set(bodies.map((b) => b.draw_id))].sort());
        for (const { draw_id, draw_date, lottery_name, numbers } of draws) {
          const own = bodies.filter((body) => body.draw_id === draw_id);
          expect(draw_date).toBe(Date.parse(said(own, (body) => body.draw_date) ?? '') * 1000);
          expect(lottery_name).toBe(said(own, (body) => body.lottery_name));
          const told = said(own, ({ draw_numbers }) => draw_numbers && JSON.stringify(draw_numbers).replace(']', '],'));
          expect(numbers).toEqual(told === null ? null : JSON.parse(told.slice(0, -1)));
        }
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

test('known values are not written again within a minute', async () => {
  const { brand } = await createBrand(pool);
  const publish = async (fields: Partial<DrawBody>) => {
    const body = lotteryBody({
      draw_id: 'd',
      draw_date: '2026-05-01T18:00:00Z',
      timestamp: '2026-04-30T10:00:01Z',
      ...fields,
    });
    await stage.publish({ kind: 'lottery', body, brand });
    await stage.derive();
    const { rows } = await pool.query<{ xmin: string }>('select xmin::text from draw where brand_id = $1', [
      brand.brand_id,
    ]);
    return rows[0]?.xmin;
  };
  const written = await publish({});
  expect(await publish({ timestamp: '2026-04-30T10:00:30Z' })).toBe(written);
  expect(await publish({ timestamp: '2026-04-29T10:00:00Z', draw_date: '2026-05-03T18:00:00Z' })).toBe(written);
  expect(await publish({ timestamp: '2026-04-30T10:02:00Z', draw_date: '2026-05-03T18:00:00Z' })).not.toBe(written);
  expect((await listDraws(pool, brand.brand_id, {}, 9))[0]?.draw_date).toBe(Date.UTC(2026, 4, 3, 18) * 1000);
});

test('draws of both versions are listed by lottery and time, page by page', async () => {
  const { brand } = await createBrand(pool);
  const draw = (day: number) => ({
    draw_id: `d${day}`,
    draw_date: `2026-05-0${day}T18:00:00Z`,
    timestamp: '2026-04-30T10:00:00Z',
  });
  const purchase = {
    user_id: 'a',
    transaction_id: 'x',
    status: 'Rejected',
    amount: 1,
    currency: 'EUR',
    exchange_rate: 1,
    origin: 'o',
    timestamp: '2026-04-30T10:00:00Z',
    tickets: [{ ticket_id: 't', product_name: 'Lotto', draws: [{ timestamp: '2026-05-02T20:00:00+02:00' }, {}] }],
  };
  await stage.publish(
    { kind: 'lottery', body: lotteryBody(draw(1)), brand },
    { kind: 'lottery', body: lotteryBody({ ...draw(3), draw_numbers: [1, 2, 3] }), brand },
    { kind: 'lottery_purchase', body: purchase, brand },
  );
  await stage.derive();
  const ids = async (filter: Parameters<typeof listDraws>[2]) =>
    (await listDraws(pool, brand.brand_id, filter, 9)).map(({ draw_id }) => draw_id);
  expect(await ids({})).toEqual(['d3', '2026-05-02T18:00:00.000000Z', 'd1']);
  expect(await ids({ lottery_id: 'Lotto' })).toEqual(['2026-05-02T18:00:00.000000Z']);
  expect(await ids({ version: 2, to: Date.UTC(2026, 4, 2) * 1000 })).toEqual(['d1']);
  expect(await ids({ from: Date.UTC(2026, 4, 3) * 1000 })).toEqual(['d3']);
  const first = await listDraws(pool, brand.brand_id, {}, 2);
  expect(first[0]).toMatchObject({ version: 2, numbers: [1, 2, 3], special_numbers: [] });
  const rest = await listDraws(pool, brand.brand_id, {}, 2, first.at(-1));
  expect(rest.map(({ draw_id }) => draw_id)).toEqual(['d1']);
});
