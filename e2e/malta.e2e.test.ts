import { dayOf } from '@croupier/contracts';
import { afterAll, expect, test } from 'vitest';
import type { ShownPlayer } from '../faults/checker/read-console.ts';
import { consoleOf } from '../faults/installation/console.ts';
import { startInstallation } from '../faults/installation/installation.ts';
import { until } from '../faults/installation/until.ts';
import { setupDatabase } from '../packages/platform/testing/database.ts';
import { publish } from './publish.ts';

/*
 * A Maltese brand whose operator writes UTC without a zone: "2026-07-01 23:30:00". Its reporting days are those of Malta, so
 * that time belongs to July 2.
 */
const { url: databaseUrl } = await setupDatabase();
const zone = 'Europe/Malta';
const installation = await startInstallation({ databaseUrl, brand: { time_zone: zone } });
afterAll(() => installation.stop());
const console = consoleOf(installation);

const dayMs = 86_400_000;
const zoneless = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
const maltaDay = (at: number) => dayOf(zone, at * 1000);

const money = { currency: 'EUR', exchange_rate: 1, origin: 'maltacasino.test' };
const bet = (userId: string, number: number, at: number) => ({
  ...money,
  user_id: userId,
  timestamp: zoneless(at),
  type: 'Bet',
  amount: 2,
  activity_id: `a${number}`,
  round_id: `r${number}`,
  game_id: 'g1',
  vendor_id: 'v1',
  is_round_end: false,
});
const deposit = (userId: string, at: number) => ({
  ...money,
  user_id: userId,
  timestamp: zoneless(at),
  type: 'Credit',
  status: 'Approved',
  amount: 20,
  payment_id: `p-${userId}`,
  vendor_id: 'bank',
});

interface TimelineEvent {
  type: string;
  kind: string;
  at: string;
  flags: string[];
}

/** Returns the player's traits, once the newest event is derived. */
async function traitsOf(userId: string, windows: string): Promise<Record<string, unknown>> {
  const player = await until(
    `the deposit of ${userId}`,
    async () => {
      const shown = await console.get<ShownPlayer>(`players/${userId}?windows=${windows}`);
      return shown?.traits.deposit_count?.value === 1 && shown;
    },
    { limitMs: 10_000 },
  );
  return Object.fromEntries(Object.entries(player.traits).map(([name, trait]) => [name, trait?.value]));
}

test('half an hour before midnight UTC is the next day in Malta', async () => {
  // Two days ago at 23:30 UTC. In Malta's calendar, that is yesterday.
  const at = Date.parse(`${maltaDay(Date.now() - 2 * dayMs)}T23:30:00Z`);
  expect(maltaDay(at)).toBe(maltaDay(Date.now() - dayMs));
  expect((await publish(installation, '/v1/integration/casino', bet('night', 1, at))).status).toBe(200);
  expect((await publish(installation, '/v1/integration/payment', deposit('night', at))).status).toBe(200);

  const traits = await traitsOf('night', 'today,2d');
  expect(traits).toMatchObject({ deposit_count_today: 0, deposit_count_2d: 1, deposit_sum_2d: '20' });
  const timeline = await console.list<TimelineEvent>('players/night/timeline');
  const moment = `${new Date(at).toISOString().slice(0, 19)}.000000Z`;
  expect(timeline.filter(({ type }) => type === 'event').map(({ kind, at }) => [kind, at])).toEqual(
    expect.arrayContaining([
      ['casino', moment],
      ['payment', moment],
    ]),
  );
});

test('bets of the current time belong to the current hour, and the checklist reports no problem with them', async () => {
  const now = Date.now();
  for (let n = 10; n < 40; n++) {
    expect((await publish(installation, '/v1/integration/casino', bet('now', n, now))).status).toBe(200);
  }
  expect((await publish(installation, '/v1/integration/payment', deposit('now', now))).status).toBe(200);

  expect(await traitsOf('now', '2h')).toMatchObject({ deposit_count_2h: 1 });
  const timeline = await console.list<TimelineEvent>('players/now/timeline?kind=casino');
  expect(timeline).toHaveLength(30);
  for (const { at } of timeline) expect(Math.abs(Date.parse(at) - now)).toBeLessThan(1_000);
  const overview = await console.get<{ go_live: { further: { kind: string; notes: { code: string }[] }[] } }>(
    'overview',
  );
  const casino = overview?.go_live.further.find(({ kind }) => kind === 'casino');
  expect(casino?.notes.map(({ code }) => code)).not.toContain('zoneless_shifted');
});
