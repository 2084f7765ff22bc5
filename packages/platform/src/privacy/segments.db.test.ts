import type { Rule } from '@croupier/rules';
import { expect, test } from 'vitest';
import { paymentBody } from '../../testing/derive/stage.ts';
import { eraserOf } from '../../testing/privacy/setup-privacy.ts';
import { setupSegments } from '../../testing/segments/setup-segments.ts';
import { timestamptzText, transaction } from '../database/index.ts';
import { tagPlayers, verifySegments } from '../segments/membership/index.ts';
import { saveContent } from '../segments/membership/manage.ts';
import { requestErasure } from './index.ts';

/* What segments store about a player is deleted with the player, and does not return. */
const stage = await setupSegments();
const { pool, brand, brands, rules, clock, publish, derive, follow, segment, draft, computer, playerId, members } =
  stage;
const eraser = eraserOf(stage);
const second = 1_000_000;
const depositors: Rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count_7d', operator: '>=', value: 1 }] };
const everybody: Rule = { combinator: 'and', rules: [] };
const tables = [
  'segment_member',
  'segment_transition',
  'segment_due',
  'segment_listed',
  'segment_news',
  'segment_difference',
  'player_tag',
  'player_tag_change',
];

async function rowsOf(player_id: number): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await pool.query<{ n: number }>(`select count(*)::int as n from ${table} where player_id = $1`, [
      player_id,
    ]);
    found[table] = rows[0]?.n ?? 0;
  }
  return found;
}

const deposit = (user_id: string, payment_id: string) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id, timestamp: timestamptzText(clock.now() - 60 * second) }),
});
const nothing = Object.fromEntries(tables.map((table) => [table, 0]));

test('members, transitions, due times, tags, lists, news and differences of an erased player are deleted, and do not return', async () => {
  await publish(deposit('ann', '1'), deposit('bob', '2'));
  await derive();
  await segment('depositors', {
    combinator: 'and',
    rules: [{ field: 'trait.deposit_count', operator: '>=', value: 2 }],
  });
  await segment('week', depositors);
  await segment('everybody', everybody);
  await publish(deposit('ann', '3'), deposit('bob', '4'));
  await derive();
  await follow();
  const ann = await playerId('ann');
  await draft('listed', { user_ids: ['ann', 'bob'] });
  const tagging = { player_id: ann, brand_id: brand.brand_id, tag: 'vip', action: 'add', actor: 'a test' } as const;
  await transaction(pool, (tx) => tagPlayers(tx, [tagging], clock.now()));
  await pool.query('insert into segment_difference select $1, version_id, now(), brand_id, true from segment_active', [
    ann,
  ]);
  const before = await rowsOf(ann);
  expect(Object.entries(before).filter(([, rows]) => rows === 0)).toEqual([]);

  await requestErasure(pool, brands, {
    brand_id: brand.brand_id,
    player_id: ann,
    user_id: 'ann',
    forced: true,
    at: clock.now(),
  });
  await eraser.runOnce();
  clock.advance(60 * second);
  await eraser.runOnce();
  expect(await rowsOf(ann)).toEqual(nothing);
  expect(await members('everybody')).toEqual(['bob']);

  // Nothing restores the player: neither the clock, nor an event, nor a list that names the player, nor a computation.
  await publish(deposit('ann', '5'));
  await derive();
  const [listed] = (await pool.query('select * from segment where code = $1', ['listed'])).rows;
  await transaction(pool, (tx) =>
    saveContent(
      tx,
      { brand, rules, segment: listed, content: { user_ids: ['ann', 'bob'] }, include_protected: false },
      { at: clock.now(), actor: 'a test' },
    ),
  );
  await pool.query(
    `insert into segment_computation (version_id, purpose, total, started_at) select version_id, 'recompute', 1, now() from segment_active`,
  );
  await computer.runOnce();
  await follow();
  clock.advance(9 * 86_400 * second);
  await follow();
  expect(await rowsOf(ann)).toEqual(nothing);
  expect(await members('everybody')).toEqual(['bob']);
  expect(await members('week')).toEqual([]);
  expect((await verifySegments({ pool, brands, rules }, clock.now())).differences).toEqual([]);
});
