import { beforeAll, expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';

/* Most casino events contain ids without names. The summaries show the names that other events of the brand contained. */
const console = await setupConsole();

const bet = (fields: object) => ({
  user_id: 'ann',
  type: 'Bet',
  amount: 2,
  wager_amount: 2,
  bonus_wager_amount: 0,
  locked_wager_amount: 0,
  currency: 'EUR',
  exchange_rate: 1,
  vendor_id: 'v-1',
  game_id: 'g-1',
  round_id: 'r-1',
  is_round_end: false,
  origin: 'casino.example',
  timestamp: '2026-05-01T11:59:00Z',
  ...fields,
});

beforeAll(async () => {
  const { brand: another } = await createBrand(console.pool, { code: 'sweden' });
  await console.publish('casino', bet({ activity_id: 'a-1' }));
  await console.publish('casino', bet({ activity_id: 'a-1', amount: 3, wager_amount: 3 }));
  await console.publish(
    'casino',
    bet({ activity_id: 'a-2', game_name: 'Lucky Lanterns', vendor_name: 'Example Games' }),
  );
  await console.publish(
    'casino',
    bet({ activity_id: 'a-3', timestamp: '2026-04-29T12:00:00Z', game_name: 'Lanterns' }),
  );
  await console.publish('casino', bet({ activity_id: 'a-4', game_id: 'g-2' }));
  await console.publish('casino', bet({ activity_id: 'a-5', game_id: 'g-3' }));
  await console.publish('casino', bet({ activity_id: 'b-1', game_id: 'g-2', game_name: 'Of another brand' }), another);
  await console.derive();
});

const newestFirst = [
  'Bet of 2 EUR in g-3 (Example Games), round r-1',
  'Bet of 2 EUR in g-2 (Example Games), round r-1',
  'Bet of 2 EUR in Lanterns (Example Games), round r-1',
  'Bet of 2 EUR in Lucky Lanterns (Example Games), round r-1',
  'Bet of 3 EUR in Lucky Lanterns (Example Games), round r-1',
  'Bet of 2 EUR in Lucky Lanterns (Example Games), round r-1',
];

const summaries = ({ items }: { items: { summary: string }[] }) => items.map(({ summary }) => summary);

test.each(['/brands/malta/feed', '/brands/malta/players/ann/timeline?kind=casino'])(
  'bets without names show those of the catalog of the brand, or else the ids: %s',
  async (path) => {
    const { status, body } = await console.get(path);
    expect(status).toBe(200);
    expect([...summaries(body)].sort()).toEqual([...newestFirst].sort());
  },
);

test('one event, the latest event of a player, and the versions of a contradiction show the names, too', async () => {
  const { body: feed } = await console.get('/brands/malta/feed');
  const oldest = feed.items.at(-1);
  expect((await console.get(`/brands/malta/feed/${oldest.position}`)).body.summary).toBe(newestFirst.at(-1));
  const { body: latest } = await console.get('/brands/malta/latest/players');
  expect(summaries(latest)).toEqual([newestFirst[0]]);
  const { body: conflicts } = await console.get('/brands/malta/conflicts');
  expect(summaries(conflicts)).toEqual([newestFirst[4]]);
  expect(summaries({ items: conflicts.items[0].fact.versions }).sort()).toEqual([newestFirst[5], newestFirst[4]]);
});
