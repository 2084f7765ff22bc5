import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { timestamptzText } from '../../database/index.ts';
import { usualBody } from '../../scenarios/index.ts';

/* Events about one thing start one run; events about two things start two. */
const { pool, brand, clock, publish, derive, lane, runs, campaign } = await setupCampaigns();
const { base_currency } = brand.settings;

/** @returns the number of rows of news */
async function send(
  kind: 'gameround' | 'casino' | 'sports' | 'lottery',
  fields: Record<string, unknown>,
): Promise<number> {
  const usual = usualBody(kind, { base_currency, number: 1 });
  const body = { origin: 'www.example.com', ...usual, timestamp: timestamptzText(clock.now()), ...fields };
  await publish({ kind, body: body as typeof body & { user_id: string } });
  await derive();
  const { rows } = await pool.query('select from campaign_news');
  await lane.runOnce();
  return rows.length;
}

async function startsWith(code: string, event: string): Promise<void> {
  const reentry = { times: 'unlimited', while_running: true } as const;
  await campaign({ code, name: code, entry: { event } as never, reentry, steps: [{ id: 'mark', tag: 'seen' }] });
}

test('a round starts one run, and a round of another game or of a counter that is used again starts another', async () => {
  await startsWith('rounds', 'round');
  const round = { user_id: 'mia', vendor_id: 'v', game_id: 'a', round_id: '17' };
  const timestamp = timestamptzText(clock.now());
  await send('gameround', { ...round, timestamp });
  await send('gameround', { ...round, timestamp });
  expect(await runs('rounds')).toHaveLength(1);
  await send('gameround', { ...round, game_id: 'b', timestamp });
  expect(await runs('rounds')).toHaveLength(2);
  clock.advance(7 * 86_400_000_000);
  await send('gameround', round);
  expect(await runs('rounds')).toHaveLength(3);
});

test.each(['casino', 'sports'] as const)(
  'a bet that is sent again with another amount starts one run: %s',
  async (kind) => {
    await startsWith(`conflicts-${kind}`, kind === 'sports' ? 'bet' : kind);
    const bet = { user_id: 'ada', activity_id: 'bet 1' };
    expect(await send(kind, { ...bet, amount: 10 })).toBe(1);
    expect(await send(kind, { ...bet, amount: 20 })).toBe(0);
    expect(await runs(`conflicts-${kind}`)).toHaveLength(1);
  },
);

test('a corrected settlement of a ticket starts no second run, but is news for runs that wait', async () => {
  await startsWith('tickets', 'ticket');
  const ticket = { user_id: 'eva', ticket_id: 't', type: 'Settlement', draw_numbers: [1, 2] };
  expect(await send('lottery', { ...ticket, amount: 10 })).toBe(1);
  clock.advance(1_000_000);
  expect(await send('lottery', { ...ticket, amount: 20 })).toBe(1);
  expect(await runs('tickets')).toHaveLength(1);
});

test('two custom events of one second start two runs, and a repeat of one starts none', async () => {
  await startsWith('missions', 'custom');
  const timestamp = timestamptzText(clock.now());
  const mission = (item: string) => ({
    kind: 'custom' as const,
    body: { notification_type: 'mission', user_id: 'ida', origin: 'www.example.com', timestamp, data: { item } },
  });
  await publish(mission('a'), mission('b'), mission('a'));
  await derive();
  await lane.runOnce();
  expect(await runs('missions')).toHaveLength(2);
});
