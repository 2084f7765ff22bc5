import type { Rule } from '@croupier/rules';
import { expect, test } from 'vitest';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { setupSegments } from '../../../testing/segments/setup-segments.ts';
import { transaction } from '../../database/index.ts';
import { publish as publishVersion, recompute, remove, saveContent } from './manage.ts';
import { eachMember, listSegments } from './reading.ts';
import type { RuleReading } from './rule-reading.ts';
import { SegmentComputer } from './settle/computer.ts';
import { DueSweeper } from './settle/sweeper.ts';
import { verifySegments } from './settle/verify.ts';
import { readSegments } from './versions/store.ts';

/*
 * Segments whose rules refer to another segment, while both are computed at the same time. Small portions make it
 * possible to change the other segment between two portions.
 */
const stage = await setupSegments({ brand: { time_zone: 'Europe/Malta' } });
const { pool, brand, brands, clock, draft, publish, derive, segment, members, follow, rules } = stage;
const moment = (text: string) => Date.parse(text) * 1000;
const midnight = moment('2026-05-01T22:00:00Z');
const depositedInTwoDays: Rule = {
  combinator: 'and',
  rules: [{ field: 'trait.deposit_count_2d', operator: '>=', value: 1 }],
};
const memberOf = (code: string): Rule => ({
  combinator: 'and',
  rules: [{ field: `segment.${code}`, operator: '=', value: true }],
});
const names = (letter: string) => Array.from({ length: 6 }, (_, n) => `${letter}${n}`);
const by = () => ({ at: clock.now(), actor: 'a test' });

async function deposit(users: readonly string[], timestamp: string): Promise<void> {
  const bodies = users.map((user_id) => paymentBody({ user_id, payment_id: `${user_id} ${timestamp}`, timestamp }));
  await publish(...bodies.map((body) => ({ kind: 'payment' as const, body })));
  await derive();
}

/** A computer that computes 4 players per portion. It calls `between` before the portion with the number `portion`. */
function computer(portion = 0, between: (own: SegmentComputer) => Promise<void> = async () => {}): SegmentComputer {
  let portions = 0;
  const watched: RuleReading = {
    kindsOf: (needs) => rules.kindsOf(needs),
    readsRecords: (needs) => rules.readsRecords(needs),
    of: async (of, fields) => {
      portions += 1;
      if (portions === portion) await between(own);
      return rules.of(of, fields);
    },
  };
  const own = new SegmentComputer({ pool, brands, rules: watched, clock: clock.now, log: testLog, portionPlayers: 4 });
  return own;
}

async function startPublishing(code: string, rule?: Rule): Promise<void> {
  const [known] = await readSegments(pool, brand.brand_id, { code });
  const found = known ?? (await draft(code, { rule: rule as Rule }));
  await transaction(pool, async (tx) => {
    if (known !== undefined)
      await saveContent(tx, { brand, rules, segment: found, content: { rule }, include_protected: false }, by());
    await publishVersion(tx, rules, found, by());
  });
}

const differences = async () =>
  (await verifySegments({ pool, brands, rules }, clock.now())).differences.map(({ code, user_id }) => [code, user_id]);

test('a sweep of a segment reaches a version that refers to it and is still being computed', async () => {
  clock.set(moment('2026-05-01T10:00:00Z'));
  await deposit(names('early'), '2026-04-30T10:00:00Z');
  await deposit(names('late'), '2026-05-01T09:00:00Z');
  await segment('depositors', depositedInTwoDays);
  const { rows } = await pool.query<{ version_id: number }>(
    `select version_id from segment_active where code = 'depositors'`,
  );
  await startPublishing('both', memberOf('depositors'));
  await computer(2, async () => {
    clock.set(midnight);
    const sweeper = new DueSweeper({ pool, brands, rules, clock: clock.now, log: testLog });
    sweeper.want(rows.map(({ version_id }) => version_id));
    expect(await sweeper.runOnce()).toEqual({ swept: 6 });
  }).runOnce();
  await follow();
  expect(await members('both')).toEqual(names('late'));
  expect(await differences()).toEqual([]);
});

test('a new version restarts a recomputation of a version that refers to its segment', async () => {
  // Two workers: one stops after a portion of `both`, and the other computes the new version.
  await transaction(pool, async (tx) => {
    const [both] = await readSegments(tx, brand.brand_id, { code: 'both' });
    if (both !== undefined) await recompute(tx, rules, both, by());
  });
  await computer(1, async (own) => void own.stop()).runOnce();
  clock.set(midnight - 1);
  await startPublishing('depositors', {
    combinator: 'and',
    rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }],
  });
  clock.set(midnight);
  await computer().runOnce();
  await follow();
  expect(await members('both')).toEqual([...names('early'), ...names('late')]);
  expect(await differences()).toEqual([]);
});

test('an export continues with the version that comes into force meanwhile, and fails if the segment is deleted', async () => {
  const [depositors] = await listSegments(pool, brand.brand_id, 'depositors');
  if (depositors === undefined) throw new Error('there is no segment');
  const exported = eachMember(pool, depositors.shown, 5);
  const read = async () => (await exported.next()).value?.map(({ user_id }: { user_id: string }) => user_id);
  expect(await read()).toEqual(names('early').slice(0, 5));
  await startPublishing('depositors', { combinator: 'and', rules: [] });
  await computer().runOnce();
  expect(await read()).toEqual([...names('early').slice(5), ...names('late').slice(0, 4)]);
  await transaction(pool, async (tx) => {
    for (const code of ['both', 'depositors'])
      for (const one of await readSegments(tx, brand.brand_id, { code })) await remove(tx, one);
  });
  await expect(read()).rejects.toThrow('the segment was deleted');
});
