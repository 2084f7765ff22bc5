import type { Rule } from '@croupier/rules';
import { expect, test } from 'vitest';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { setupSegments } from '../../../testing/segments/setup-segments.ts';
import { transaction } from '../../database/index.ts';
import { PlatformRules, publish as publishDraft, SegmentComputer, SegmentLane } from './index.ts';

const { pool, brands, rules, leases, clock, publish, derive, draft, members } = await setupSegments();
const by = () => ({ at: clock.now(), actor: 'a test' });

test('a worker that just read the names of a brand recognizes a segment that was created since', async () => {
  // The worker has its own catalog, because segments are created in another process.
  const own = { pool, brands, rules: new PlatformRules({ pool }), clock: clock.now, log: testLog };
  const computer = new SegmentComputer(own);
  const lane = new SegmentLane({ ...own, leases, onMass: () => {} });
  const make = async (code: string, rule: Rule) => {
    const segment = await draft(code, { rule });
    await transaction(pool, (tx) => publishDraft(tx, rules, segment, by()));
    await computer.runOnce();
  };
  await publish({ kind: 'login', body: { user_id: 'bob', timestamp: '2026-05-01T10:00:00Z' } });
  await derive();
  await make('everybody', { combinator: 'and', rules: [] });
  await make('depositors', {
    combinator: 'and',
    rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }],
  });
  await make('nested', { combinator: 'and', rules: [{ field: 'segment.depositors', operator: '=', value: true }] });
  await publish({ kind: 'payment', body: paymentBody({ user_id: 'ann', payment_id: '1' }) });
  await derive();
  while ((await lane.runOnce()).news > 0);
  expect(await members('nested')).toEqual(['ann']);
});
