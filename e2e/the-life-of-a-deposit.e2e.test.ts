import { startSandboxOperator } from '@croupier/sandbox';
import { afterAll, expect, test } from 'vitest';
import type { ShownPayment, ShownPlayer } from '../faults/checker/read-console.ts';
import { consoleOf } from '../faults/installation/console.ts';
import { startInstallation } from '../faults/installation/installation.ts';
import { until } from '../faults/installation/until.ts';
import { setupDatabase } from '../packages/platform/testing/database.ts';
import { publish } from './publish.ts';

/*
 * The life of a deposit, from outside: an operator, the platform, and a staff member who reads the console API.
 *
 *   operator --- POST /v2/integration/user, /v1/integration/payment ---> platform
 *   operator <-- GET /userdetails, /userconsents, /userblocks ---------- platform
 *   console  --- GET players/maria-7, .../payments, .../timeline ------> platform
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
const start = Date.now() - 60_000;
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const moment = (seconds: number) => at(seconds).replace('Z', '000Z');

/** Returns an event that the operator's cashier publishes about the only deposit of this story: 500 kronor, at 0.09 euro each. */
const deposit = (status: string, seconds: number) => ({
  user_id: userId,
  payment_id: '70001',
  type: 'Credit',
  status,
  timestamp: at(seconds),
  amount: 500,
  currency: 'SEK',
  exchange_rate: 0.09,
  vendor_id: 'swiftpay',
  origin: 'demo-casino.test',
});

const player = () => console.get<ShownPlayer>(`players/${userId}`);
const payments = () => console.list<ShownPayment>(`players/${userId}/payments`);

/** Publishes, and waits until the timeline shows this many events of the kind. */
async function tell(path: string, event: Record<string, unknown>, kind: string, events: number): Promise<void> {
  expect(await publish(installation, path, event)).toMatchObject({ status: 200, body: { status: 'ok' } });
  await until(`${kind} number ${events}`, async () => (await verdictsOf(kind)).length === events, { limitMs });
}

/** Returns the verdicts on the events of a kind, in the order of arrival. */
async function verdictsOf(kind: string): Promise<string[]> {
  const events = await console.list<{ received_at: string; verdict: string }>(
    `players/${userId}/timeline?kind=${kind}`,
  );
  return events.sort((a, b) => (a.received_at < b.received_at ? -1 : 1)).map(({ verdict }) => verdict);
}

async function totals(): Promise<Record<string, unknown>> {
  const traits = (await player())?.traits ?? {};
  const names = ['deposit_count', 'deposit_sum', 'deposit_count_24h', 'deposit_first_at', 'deposit_last_at'];
  return Object.fromEntries(names.map((name) => [name, traits[name]?.value]));
}

const nothing = {
  deposit_count: 0,
  deposit_sum: '0',
  deposit_count_24h: 0,
  deposit_first_at: null,
  deposit_last_at: null,
};
const once = (seconds: number) => ({
  deposit_count: 1,
  deposit_sum: '45',
  deposit_count_24h: 1,
  deposit_first_at: moment(seconds),
  deposit_last_at: moment(seconds),
});

test('the life of a deposit', { timeout: 60_000 }, async () => {
  // Maria signs up at the casino. The operator has her in its records, but the platform does not know her yet.
  operator.books.addPlayer(userId, { details: { first_name: 'Maria', email: 'maria@demo-casino.test' } });
  operator.books.change(userId, { consents: [{ type: 'Email', opted_in: true }] });
  expect(await player()).toBeUndefined();

  // The event contains only her id and the time. The platform requests the rest (all three records) with the operator's key.
  const lookedUp = Promise.all(
    ['userdetails', 'userconsents', 'userblocks'].map((endpoint) =>
      operator.calls.next((call) => call.endpoint === endpoint && call.user_id === userId),
    ),
  );
  await tell('/v2/integration/user', { user_id: userId, timestamp: at(0) }, 'registration', 1);
  expect((await lookedUp).map(({ status }) => status)).toEqual([200, 200, 200]);
  const known = await until(
    'the profile to be refreshed',
    async () => {
      const shown = await player();
      return shown?.sync.state === 'current' && shown;
    },
    { limitMs },
  );
  expect(known.profile).toMatchObject({ first_name: 'Maria', email: 'maria@demo-casino.test' });
  expect(known.consents).toContainEqual(expect.objectContaining({ type: 'Email', opted_in: true }));
  expect(known.traits.registered_at?.value).toBe(moment(0));
  expect(await totals()).toEqual(nothing);

  // She requests a deposit. Now there is a payment, but no money yet.
  await tell('/v1/integration/payment', deposit('Requested', 10), 'payment', 1);
  expect(await payments()).toMatchObject([{ payment_id: '70001', status: 'Requested', counted: false }]);
  expect(await totals()).toEqual(nothing);

  // The bank approves. 500 kronor are 45 euro, the currency in which the brand counts.
  await tell('/v1/integration/payment', deposit('Approved', 20), 'payment', 2);
  expect(await payments()).toMatchObject([
    { status: 'Approved', counted: true, amount: '500', currency: 'SEK', base_amount: '45', timestamp: moment(20) },
  ]);
  expect(await totals()).toEqual(once(20));

  // The operator received no answer, and sends the same event again, and then once more with a new timestamp. Both are stored
  // and marked, but they change nothing. The deposit is still the one of second 20.
  await tell('/v1/integration/payment', deposit('Approved', 20), 'payment', 3);
  await tell('/v1/integration/payment', deposit('Approved', 30), 'payment', 4);
  expect(await verdictsOf('payment')).toEqual(['applied', 'applied', 'repeat', 'repeat']);
  expect(await totals()).toEqual(once(20));

  // The bank takes the money back. The payment stays visible, and no longer counts.
  await tell('/v1/integration/payment', deposit('Rollback', 40), 'payment', 5);
  const [rolledBack, ...others] = await payments();
  expect(others).toEqual([]);
  expect(rolledBack).toMatchObject({ payment_id: '70001', status: 'Rollback', counted: false, conflicts: 0 });
  expect(rolledBack?.events.map(({ status, timestamp }) => [status, timestamp])).toEqual([
    ['Requested', moment(10)],
    ['Approved', moment(20)],
    ['Approved', moment(30)],
    ['Rollback', moment(40)],
  ]);
  expect(await totals()).toEqual(nothing);

  // The go-live checklist: the steps of this story are done, and the step of logins is still open.
  const goLive = async () => {
    const overview = await console.get<{ go_live: { steps: { step: number; state: string }[] } }>('overview');
    return new Map(overview?.go_live.steps.map(({ step, state }) => [step, state]));
  };
  // Calls to the operator are counted in memory and stored every second.
  await expect
    .poll(
      async () => {
        const states = await goLive();
        return [1, 2, 3, 4].map((step) => states.get(step));
      },
      { timeout: 10_000 },
    )
    .toEqual(['done', 'done', 'done', 'done']);
  const states = await goLive();
  expect([5, 7].map((step) => states.get(step))).not.toContain('not_started');
  expect(states.get(6)).toBe('not_started');
});
