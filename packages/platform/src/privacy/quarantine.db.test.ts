import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { setupStage } from '../../testing/derive/stage.ts';
import { timestamptzText } from '../database/index.ts';
import { playerHash } from '../ledger/index.ts';
import { eraseTables } from './erase-tables.ts';
import { claimMentions, redactMentions } from './quarantine-mentions.ts';

const { pool, clock, brand } = await setupStage();
const { brand_id } = brand;

async function keep(text: string, userId: string | null = null, corrected?: { body: string; user_id: string }) {
  await pool.query(
    `insert into quarantine (brand_id, kind, body_sha256, body, reasons, user_id, first_at, last_at, corrected_body, corrected_user_id)
     values ($1, 'payment', $2, $3, '[{"path":"","rule":"json","message":"m"}]', $4, $5, $5, $6, $7)`,
    [
      brand_id,
      hash('sha256', text, 'buffer'),
      Buffer.from(text),
      userId,
      timestamptzText(clock.now()),
      corrected === undefined ? null : Buffer.from(corrected.body),
      corrected?.user_id ?? null,
    ],
  );
}

test('an erasure finds the player in quarantine in any spelling of the id, and keeps the bodies of others', async () => {
  const theirs = [
    '{"user_id": 4711\n, "amount": ',
    '{"user_id": 4711 , "amount": ',
    '{"user_id":"\\u0034711", "amount": ',
    '{"user_id":" 4711 ", "amount": ',
    '[{"user_id":"4711"}]',
    '{"userId":4711}',
  ];
  for (const text of theirs) await keep(text);
  await keep('{"user_id":" 4711 "}', ' 4711 ');
  const trimmed = [9, 10, 11, 12, 13, 0xa0, 0x1680, 0x2003, 0x2028, 0x202f, 0x205f, 0x3000, 0xfeff];
  for (const blank of trimmed.map((code) => String.fromCharCode(code)))
    await keep(JSON.stringify({ user_id: `4711${blank}` }), `4711${blank}`);
  await keep('{"user_id":"wrong"}', 'wrong', { body: '{"user_id":"\\u0034711"}', user_id: '4711' });
  const others = ['{"user_id": 47110\n, ', '{"amount": ', '{"user_id":"wrong","x":1}'];
  for (const text of others) await keep(text, text.includes('wrong') ? 'wrong' : null);
  const subject = { brand_id, player_id: 1, user_id: '4711', player_hash: playerHash(brand_id, '4711') };
  expect(await claimMentions(pool, subject)).toBe(theirs.length);
  await eraseTables(pool, subject, (table) => table === 'public.quarantine');
  const { rows } = await pool.query<{ body: Buffer }>('select body from quarantine order by quarantine_id');
  expect(rows.map((row) => row.body.toString())).toEqual(others);
});

test('an erasure removes the player from the bodies of others, and keeps these bodies', async () => {
  await pool.query('delete from quarantine');
  const friend = { user_id: '815', friend: '4711', amount: 4711, referrer_id: 4711, note: 'for 4711 only' };
  await keep(JSON.stringify(friend), '815');
  await keep('{"user_id":"816","friend":"\\u0034711"}', '816');
  await keep('{"user_id":"817","x":1}', '817', { body: '{"user_id":"817","friend":"4711"}', user_id: '817' });
  await keep('{"user_id":"818","amount":4711}', '818');
  await keep('{"user_id":"4711","user_id":"819"}', '819');
  const subject = { brand_id, user_id: '4711' };
  expect(await redactMentions(pool, subject)).toBe(4);
  expect(await redactMentions(pool, subject)).toBe(0);
  const { rows } = await pool.query<{ body: Buffer; corrected_body: Buffer | null }>(
    'select body, corrected_body from quarantine order by quarantine_id',
  );
  expect(rows.map(({ body }) => JSON.parse(body.toString()))).toEqual([
    { ...friend, friend: 'erased', referrer_id: 'erased' },
    { user_id: '816', friend: 'erased' },
    { user_id: '817', x: 1 },
    { user_id: '818', amount: 4711 },
    { user_id: '819' },
  ]);
  expect(rows.at(-1)?.body.toString()).not.toContain('4711');
  expect(rows[2]?.corrected_body?.toString()).toBe('{"user_id":"817","friend":"erased"}');
});

test.each([
  ['a slash', 'a/b', '{"user_id":"820","friend":"a\\/b"}'],
  ['a quote', 'a"b', JSON.stringify({ user_id: '820', friend: 'a"b' })],
  ['a backslash', 'a\\b', JSON.stringify({ user_id: '820', friend: 'a\\b' })],
])('an id with %s is found in the bodies of others', async (_name, userId, text) => {
  await pool.query('delete from quarantine');
  await keep(text, '820');
  expect(await redactMentions(pool, { brand_id, user_id: userId })).toBe(1);
});
