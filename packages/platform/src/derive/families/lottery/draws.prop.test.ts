import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent } from '../../../../testing/derive/event.ts';
import { type DrawBody, drawBody, lotteryBody, said } from '../../../../testing/derive/families/lottery/plain-draws.ts';
import { timestamptzText } from '../../../database/index.ts';
import { drawCatalog, drawsOf } from './draws.ts';

test('any order and repetition of the events of a batch gives the same draws', () => {
  fc.assert(
    fc.property(
      fc
        .array(drawBody, { minLength: 1, maxLength: 20 })
        .chain((bodies) =>
          fc.tuple(fc.constant(bodies), fc.shuffledSubarray([...bodies, ...bodies], { minLength: bodies.length })),
        ),
      ([bodies, arrivals]) => {
        const all = [...arrivals, ...bodies.filter((body) => !arrivals.includes(body))];
        const told = all.flatMap((body) =>
          drawsOf(derivedEvent('lottery', lotteryBody(body), { player_id: 1, brand_id: 1 })),
        );
        const draws = drawCatalog.learned(told);
        expect(draws.map(({ draw_id }) => draw_id).sort()).toEqual([...new Set(bodies.map((b) => b.draw_id))].sort());
        for (const { draw_id, draw_date, lottery_name, numbers } of draws) {
          const own = bodies.filter((body) => body.draw_id === draw_id);
          expect(draw_date?.value).toBe(moment(said(own, (body) => body.draw_date)));
          expect(lottery_name?.value).toBe(said(own, (body) => body.lottery_name) ?? undefined);
          expect(numbers?.value).toBe(said(own, numbersText) ?? undefined);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

function moment(text: string | null): string | undefined {
  return text === null ? undefined : timestamptzText(Date.parse(text) * 1000);
}

function numbersText({ draw_numbers }: DrawBody): string | undefined {
  return draw_numbers && JSON.stringify([draw_numbers, []]);
}
