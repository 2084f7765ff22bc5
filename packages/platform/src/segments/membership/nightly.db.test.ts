import type { Rule } from '@croupier/rules';
import pino from 'pino';
import { expect, test } from 'vitest';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { setupSegments } from '../../../testing/segments/setup-segments.ts';
import { listDifferences, NightlyRecomputations, SegmentComputer } from './index.ts';

/*
 * Every night each segment in force is computed again. A difference is corrected silently, and raises an alarm that names the
 * players.
 */
const { pool, brands, rules, clock, publish, derive, follow, segment, members, transitions, playerId } =
  await setupSegments({ brand: { time_zone: 'Europe/Malta' } });
const errors: { msg: string; segment: string; entered: number[]; left: number[] }[] = [];
const log = pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line)) });
const nightly = new NightlyRecomputations({ pool, brands, clock: clock.now, log });
const computer = new SegmentComputer({ pool, brands, rules, clock: clock.now, log });
const depositors: Rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }] };
const at = (text: string) => clock.set(Date.parse(text) * 1000);

test('a night without differences reports nothing, and happens once per day of the brand', async () => {
  at('2026-05-01T12:00:00Z');
  for (const user_id of ['ann', 'bob'])
    await publish({ kind: 'payment', body: paymentBody({ user_id, payment_id: user_id }) });
  await publish({ kind: 'login', body: { user_id: 'cyd', timestamp: '2026-05-01T11:00:00Z' } });
  await derive();
  await segment('depositors', depositors);
  expect(await nightly.runOnce()).toEqual({ started: 0 });
  // Midnight of the brand is 22:00 UTC, and its night begins four hours later.
  at('2026-05-02T01:59:00Z');
  expect(await nightly.runOnce()).toEqual({ started: 0 });
  at('2026-05-02T02:00:00Z');
  expect(await nightly.runOnce()).toEqual({ started: 1 });
  expect(await nightly.runOnce()).toEqual({ started: 0 });
  await computer.runOnce();
  expect(errors).toEqual([]);
  expect(await transitions('depositors')).toEqual([]);
});

test('a difference is recorded, logged as an error, listed, and corrected silently', async () => {
  const [ann, cyd] = [await playerId('ann'), await playerId('cyd')];
  const { rows } = await pool.query<{ version_id: number }>('select version_id from segment_active');
  const version_id = rows[0]?.version_id ?? 0;
  await pool.query('delete from segment_member where player_id = $1', [ann]);
  await pool.query('insert into segment_member values ($1, $2, false, now())', [cyd, version_id]);
  expect(await members('depositors')).toEqual(['bob', 'cyd']);
  at('2026-05-03T02:00:00Z');
  expect(await nightly.runOnce()).toEqual({ started: 1 });
  await computer.runOnce();
  await follow();
  expect(errors).toMatchObject([{ segment: 'depositors', entered: [ann], left: [cyd] }]);
  expect(await members('depositors')).toEqual(['ann', 'bob']);
  const found = await listDifferences(pool, [version_id], 10);
  expect(found.map(({ user_id, is_member }) => [user_id, is_member])).toEqual(
    expect.arrayContaining([
      ['ann', true],
      ['cyd', false],
    ]),
  );
  expect(
    (await transitions('depositors'))
      .map(({ user_id, transition, silent, cause }) => [user_id, transition, silent, cause.type])
      .sort(),
  ).toEqual([
    ['ann', 'entered', true, 'recomputation'],
    ['cyd', 'left', true, 'recomputation'],
  ]);
});
