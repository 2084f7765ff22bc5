import { referencesIn, startSandboxOperator } from '@croupier/sandbox';
import { afterAll, expect, test } from 'vitest';
import type { ShownIntent } from '../faults/checker/bonuses.ts';
import type { ShownPlayer } from '../faults/checker/read-console.ts';
import { consoleOf } from '../faults/installation/console.ts';
import { startInstallation } from '../faults/installation/installation.ts';
import { until } from '../faults/installation/until.ts';
import { setupDatabase } from '../packages/platform/testing/database.ts';
import { publish } from './publish.ts';

/*
 * The cost of a bonus, from outside: a step of a campaign credits a bonus, and the results of the campaign show what it cost.
 *
 *   operator <-- POST bonus credit, with X-Crm-Id, X-Crm-Activityid, ... --- platform
 *   operator --- POST /v1/integration/bonus, with crm_references ----------> platform
 *   console  --- GET campaigns/reload/results, .../results/amounts --------> platform
 *
 * The casino counts in kronor and the brand in euro.
 */
const { url: databaseUrl } = await setupDatabase();
const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'key-of-the-operator' } });
afterAll(() => operator.stop());
const installation = await startInstallation({
  databaseUrl,
  operator: { url: operator.url, key: 'key-of-the-operator' },
  brand: { base_currency: 'EUR', time_zone: 'Europe/Malta' },
});
afterAll(() => installation.stop());
const console = consoleOf(installation);

const limitMs = 10_000;
const userId = 'maria-7';
const code = 'RELOAD50';

interface Results {
  credited: number;
  failed: number;
  unknown: number;
  effects: { step: string; credited: number }[];
  costs: { version: number; step: string; granted: string; turned_real: string; funds: string }[];
}
const results = () => console.get<Results>('campaigns/reload/results');

/** The cost of the step `gift`, and the player's own cost. The two are derived from different tables. */
async function costs() {
  const player = await console.get<ShownPlayer>(`players/${userId}`);
  const { granted, turned_real } = (await results())?.costs[0] ?? {};
  return { granted, turned_real, of_player: player?.traits.bonus_cost?.value };
}
const amounts = (of: 'granted' | 'turned_real') =>
  console.list<object>(`campaigns/reload/results/amounts?of=${of}&version=1&step=gift`);
const intents = () => console.list<ShownIntent>(`players/${userId}/bonus-intents`);
const grants = async (intentId: string) =>
  (await console.get<{ grants: { user_bonus_id: string; how: string }[] }>(`bonus-intents/${intentId}`))?.grants.map(
    ({ user_bonus_id, how }) => ({ user_bonus_id, how }),
  );

/** Begins 50 s ago, so that every event is in the past, and belongs to the call by its time. */
const start = Date.now() - 50_000;
async function tell(user_bonus_id: string, seconds: number, event: Record<string, unknown>): Promise<void> {
  const answer = await publish(installation, '/v1/integration/bonus', {
    user_id: userId,
    user_bonus_id,
    bonus_id: 'reload-50',
    bonus_code: code,
    product: 'Casino',
    type: 'ReloadBonus',
    currency: 'SEK',
    timestamp: new Date(start + seconds * 1_000).toISOString(),
    origin: 'demo-casino.test',
    ...event,
  });
  expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } });
}

test('the cost of a bonus', { timeout: 60_000 }, async () => {
  operator.books.addPlayer(userId, { blocks: [], consents: [{ type: 'Email', opted_in: true }] });
  const timestamp = new Date(start).toISOString();
  await publish(installation, '/v2/integration/user', { user_id: userId, timestamp });
  const isKnown = async () => (await console.get<ShownPlayer>(`players/${userId}`))?.sync.state === 'current';
  await until('the player to be known', isKnown, { limitMs });

  // The campaign credits the bonus. The operator decides its amount, so nothing has a cost yet.
  const steps = [{ id: 'gift', credit: { bonus_code: code } }];
  await console.post('campaigns', { code: 'reload', name: 'Reload', entry: { api: true }, steps });
  await console.post('campaigns/reload/publish', {});
  await console.post('campaigns/reload/enter', { user_id: userId, key: 'once' });
  await until('the bonus to be credited', async () => (await results())?.credited === 1, { limitMs });
  expect(await results()).toMatchObject({
    credited: 1,
    failed: 0,
    unknown: 0,
    effects: [{ step: 'gift', credited: 1 }],
    costs: [{ version: 1, step: 'gift', granted: '0', turned_real: '0', funds: '0' }],
  });
  const [intent, ...otherIntents] = await intents();
  const [credit, ...otherCredits] = operator.books.credits;
  if (intent === undefined || credit === undefined) throw new Error('there is no credit');
  expect([otherIntents, otherCredits]).toEqual([[], []]);
  const crm_references = referencesIn(credit.headers);
  expect(crm_references).toMatchObject({ id: intent.intent_id, activity_id: 'reload' });
  expect(credit).toMatchObject({ user_id: userId, bonus_code: code });

  // The cashier gives Maria the same bonus by hand: 400 kronor. Its event has no references, so it is taken for the credit of the campaign.
  await tell('by-hand', 10, { status: 'Created', amount: 400, exchange_rate: 0.09 });
  await expect.poll(costs).toEqual({ granted: '36', turned_real: '0', of_player: '0' });
  expect(await grants(intent.intent_id)).toEqual([{ user_bonus_id: 'by-hand', how: 'explained' }]);

  // The operator reports the credit of the campaign: 250.50 kronor, with the references of the call. They take precedence over the code.
  const { user_bonus_id } = credit;
  const bonus = { amount: 250.5, crm_references };
  await tell(user_bonus_id, 20, { ...bonus, status: 'Created', exchange_rate: 0.0875 });
  await expect.poll(costs).toEqual({ granted: '21.91875', turned_real: '0', of_player: '0' });
  expect(await grants(intent.intent_id)).toEqual([{ user_bonus_id, how: 'reference' }]);

  // Maria wagers. First 100.10 kronor become real money, and then 200.20 in all, at another rate. An event that arrives twice counts once.
  const ongoing = { ...bonus, status: 'Ongoing', exchange_rate: 0.0875, bonus_turned_real: 100.1 };
  await tell(user_bonus_id, 30, ongoing);
  await tell(user_bonus_id, 30, ongoing);
  await expect.poll(costs).toEqual({ granted: '21.91875', turned_real: '8.75875', of_player: '8.75875' });
  await tell(user_bonus_id, 40, { ...bonus, status: 'Completed', exchange_rate: 0.09, bonus_turned_real: 200.2 });
  await expect.poll(costs).toEqual({ granted: '22.545', turned_real: '18.018', of_player: '18.018' });

  // The results still have one credit, and each amount names the player and the operator's bonus.
  expect(await results()).toMatchObject({
    credited: 1,
    failed: 0,
    unknown: 0,
    costs: [{ version: 1, step: 'gift', granted: '22.545', turned_real: '18.018', funds: '0' }],
  });
  const row = { user_id: userId, step: 'gift', reference: user_bonus_id };
  expect(await amounts('granted')).toEqual([expect.objectContaining({ ...row, amount: '22.545' })]);
  expect(await amounts('turned_real')).toEqual([expect.objectContaining({ ...row, amount: '18.018' })]);
  expect(await intents()).toMatchObject([{ intent_id: intent.intent_id, state: 'credited' }]);
  expect(operator.calls.list('bonus_credit')).toHaveLength(1);

  // The cashier takes the bonus back. It costs nothing, although a part of it had become real money.
  await tell(user_bonus_id, 45, { ...bonus, status: 'Reversed', exchange_rate: 0.09, bonus_turned_real: 200.2 });
  await expect.poll(costs).toEqual({ granted: '0', turned_real: '0', of_player: '0' });
  expect(await results()).toMatchObject({ credited: 1 });
});
