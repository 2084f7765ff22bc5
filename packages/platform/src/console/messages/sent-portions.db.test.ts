import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';

/* The oldest of many messages is the only one that was withheld. A page searches at most 100,000 messages. */
const { pool, brand, get } = await setupConsole();
const of = '/brands/malta';
const playerId = await insertPlayer(pool, brand.brand_id, 'anna');
await pool.query(
  `insert into called_message
     (message_id, brand_id, player_id, channel, target, purpose, campaign_id, created_at, created_by, expires_at, state, reason, ended_at, content)
   select n * 64 + ($1::bigint & 63), $2, $1, 'sms', '', 'marketing', 'winter', now(), 'test', now(),
          case n when 1 then 'withheld' else 'sent' end, case n when 1 then 'no_consent' end, now(), '{"text": "Hello"}'
     from generate_series(1, 100_001) n`,
  [playerId, brand.brand_id],
);

const page = async (path: string) => {
  const { items, next } = (await get(`${of}/${path}`)).body;
  return { states: items.map(({ state }: { state: string }) => state), next };
};

test.each([
  'sent-messages?reason=no_consent',
  'sent-messages?channel=sms&state=withheld',
  'called-messages?channel=sms&state=withheld',
])('a page without a match leads to the next page: %s', async (path) => {
  const first = await page(path);
  expect(first).toEqual({ states: [], next: expect.any(String) });
  expect(await page(`${path}&cursor=${first.next}`)).toEqual({ states: ['withheld'], next: null });
});

test('the messages that a campaign did not send are on the first page, because an index finds them', async () => {
  const path = 'sent-messages?campaign_id=winter&state=withheld&reason=no_consent';
  expect(await page(path)).toEqual({ states: ['withheld'], next: null });
});

test('a page that is full after few messages ends there', async () => {
  const first = await page('sent-messages?state=sent&limit=2');
  expect(first).toEqual({ states: ['sent', 'sent'], next: expect.any(String) });
});
