import { expect, test } from 'vitest';
import { custom, setupHistory } from '../../../testing/derive/history/history.ts';
import { segmentsOn } from '../../../testing/segments/segments-on.ts';
import { noteReplacedOrRemoved, SegmentConsumer, verifySegments } from './index.ts';

/*
 * Custom events, casino rounds and site events are removed when they are older than the history. A count without `within` then
 * decreases, although no event arrives and no window ends.
 */
const history = await setupHistory(2, {
  consumers: [new SegmentConsumer({ wake: () => {}, triggerAge: () => 30 * 60_000_000 })],
  onRemoved: (tx, players) => noteReplacedOrRemoved(tx, players, history.clock.now()),
});
const { pool, brands, clock, tell, nextDay } = history;
const { rules, segment, follow } = segmentsOn({ ...history, clock: clock.now });

test('a player whose counted facts are removed leaves silently; live membership still equals a recomputation', async () => {
  const rule = { field: 'did.custom', match: { mode: 'atLeast', threshold: 1 } } as const;
  await segment('had_a_custom_event', { combinator: 'and', rules: [rule] });
  await tell(custom('bob', clock.now()));
  await follow();
  let pruned = 0;
  for (let n = 0; n < 4; n++) {
    pruned += (await nextDay(8)).pruned;
    await tell(custom('eve', clock.now()));
    await follow();
  }
  expect(pruned).toBeGreaterThan(0);
  const { rows } = await pool.query(
    `select t.transition, t.cause ->> 'type' as cause, t.silent from segment_transition t join player p using (player_id)
      where p.user_id = 'bob' order by t.number`,
  );
  expect(rows).toEqual([
    { transition: 'entered', cause: 'event', silent: false },
    { transition: 'left', cause: 'recomputation', silent: true },
  ]);
  const { differences, left_out } = await verifySegments({ pool, brands, rules }, clock.now);
  expect({ differences, left_out }).toEqual({ differences: [], left_out: 0 });
});
