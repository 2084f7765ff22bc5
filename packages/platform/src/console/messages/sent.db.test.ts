import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';

const { pool, brand, get } = await setupConsole();
const of = '/brands/malta/sent-messages';
const playerId = await insertPlayer(pool, brand.brand_id, 'anna');

/** Stores message number `number`: an e-mail, or a message of another channel. Ids ascend with the number. */
async function store(number: number, channel: string, state: string, ended: string | null): Promise<void> {
  const isEmail = channel === 'email';
  const own = isEmail ? 'subject, html, plain' : 'channel, target, content';
  const values = isEmail ? `'Hello ${number}', '', ''` : `'${channel}', '', '{"text": "Hi ${number}"}'`;
  await pool.query(
    `insert into ${isEmail ? 'email_message' : 'called_message'}
       (message_id, brand_id, player_id, purpose, created_at, created_by, expires_at, state, due_at, ended_at, ${own})
     select $1::bigint * 64 + ($2::bigint & 63), $3::int, $2::bigint, 'service', now(), 'test', now(), $4::text, case when $4::text = 'waiting' then now() end, $5::timestamptz, ${values}`,
    [number, playerId, brand.brand_id, state, ended],
  );
}
await store(1, 'email', 'failed', '2026-05-01T10:00:00Z');
await store(2, 'sms', 'sent', '2026-05-01T10:00:00Z');
await store(3, 'operator', 'unknown', '2026-05-01T11:00:00Z');
await store(4, 'email', 'waiting', null);
await store(5, 'webhook', 'failed', '2026-05-01T12:00:00Z');

const shown = async (query: string) => {
  const { items, next } = (await get(`${of}${query}`)).body;
  return { about: items.map(({ about }: { about: string }) => about), next };
};

test.each([
  ['', ['Hi 5', 'Hello 4', 'Hi 3', 'Hi 2', 'Hello 1']],
  ['?channel=email', ['Hello 4', 'Hello 1']],
  ['?channel=sms', ['Hi 2']],
  ['?state=waiting', ['Hello 4']],
  ['?state=failed', ['Hi 5', 'Hello 1']],
  ['?state=failed_or_unknown', ['Hi 5', 'Hi 3', 'Hello 1']],
  ['?state=failed_or_unknown&ended_from=2026-05-01T10:00:00.000001Z&ended_to=2026-05-01T11:00:00Z', ['Hi 3']],
  ['?ended_to=2026-05-01T10:00:00Z', ['Hi 2', 'Hello 1']],
  ['?user_id=anna&channel=operator', ['Hi 3']],
  ['?campaign_id=autumn', []],
])('the messages of all providers are one list, newest first: %s', async (query, about) => {
  expect(await shown(query)).toEqual({ about, next: null });
});

test('its pages continue across the channels', async () => {
  const first = await shown('?limit=2');
  expect(first.about).toEqual(['Hi 5', 'Hello 4']);
  const second = await shown(`?limit=2&cursor=${first.next}`);
  expect(second.about).toEqual(['Hi 3', 'Hi 2']);
  expect(await shown(`?limit=2&cursor=${second.next}`)).toEqual({ about: ['Hello 1'], next: null });
});
