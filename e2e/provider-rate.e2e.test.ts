import { startSandboxOperator } from '@croupier/sandbox';
import { afterAll, expect, test } from 'vitest';
import type { ShownPlayer } from '../faults/checker/read-console.ts';
import { consoleOf } from '../faults/installation/console.ts';
import { startInstallation } from '../faults/installation/installation.ts';
import { until } from '../faults/installation/until.ts';
import { startMessageProviders } from '../faults/load/message-providers.ts';
import { setupDatabase } from '../packages/platform/testing/database.ts';
import { publish } from './publish.ts';

/*
 * In the processes of an installation, a campaign sends more SMS than the rate of its provider allows. The first SMS is sent, and the
 * others wait. If an SMS expires meanwhile, its reason is the rate.
 */
const { url: databaseUrl, pool } = await setupDatabase();
const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'key-of-the-operator' } });
afterAll(() => operator.stop());
const providers = await startMessageProviders('rate');
providers.heal();
afterAll(() => providers[Symbol.asyncDispose]());
const installation = await startInstallation({
  databaseUrl,
  operator: { url: operator.url, key: 'key-of-the-operator' },
});
afterAll(() => installation.stop());
const console = consoleOf(installation);
const limitMs = 60_000;

interface ShownMessage {
  user_id: string;
  state: string;
  reason: string | null;
}
const messages = () => console.list<ShownMessage>('called-messages?channel=sms');
const inState = async (state: string) => (await messages()).filter((one) => one.state === state);

async function setRate(per_second: number): Promise<void> {
  const body = '{"to": {{ to | json }}, "text": {{ text | json }}}';
  const settings = { provider: 'http', url: providers.smsUrl, body, from: 'Casino', per_second };
  await console.put('channels', { channel: 'sms', settings });
}

test('effects beyond the rate of their provider wait, or expire because of it', { timeout: 240_000 }, async () => {
  await setRate(0.000_1);
  const content = { en: { text: 'Hello' } };
  await console.post('templates', { code: 'sms', name: 'SMS', channel: 'sms', purpose: 'marketing', content });
  const entry = { event: 'custom', where: { combinator: 'and', rules: [] } };
  const steps = [{ id: 'text', send: { channel: 'sms', template: 'sms' } }];
  await console.post('campaigns', { code: 'many', name: 'Many', entry, steps });
  await console.post('campaigns/many/publish', {});
  const users = ['ann', 'ben', 'cat', 'dan'];
  for (const user_id of users) {
    operator.books.addPlayer(user_id, { blocks: [], consents: [{ type: 'SMS', opted_in: true }] });
    await publish(installation, '/v2/integration/user', { user_id, timestamp: new Date().toISOString() });
  }
  for (const user of users)
    await until(
      `${user} to be known`,
      async () => {
        const player = await console.get<ShownPlayer & { sync: { state: string } }>(`players/${user}`);
        return player?.sync.state === 'current';
      },
      { limitMs },
    );
  for (const user_id of users) {
    const event = { user_id, notification_type: 'hello', data: {}, timestamp: new Date().toISOString() };
    await publish(installation, '/v1/integration/custom', { ...event, origin: 'casino.test' });
  }
  const oneIsSent = async () => (await inState('sent')).length === 1 && (await inState('waiting')).length === 3;
  await until('one SMS to be sent, and three to wait', oneIsSent, { limitMs });
  expect(providers.taken).toHaveLength(1);

  // A message waits for up to three days. The test makes all waiting messages but one expire now.
  const [last, ...expiring] = (await inState('waiting')).map(({ user_id }) => user_id);
  await pool.query(
    `update called_message m set expires_at = now() from player p where p.player_id = m.player_id and p.user_id = any ($1)`,
    [expiring],
  );
  await until('two SMS to expire', async () => (await inState('dropped')).length === 2, { limitMs });
  const dropped = await inState('dropped');
  expect(dropped.map(({ user_id }) => user_id).sort()).toEqual(expiring.sort());
  for (const { reason } of dropped) expect(reason).toBe('provider_rate');

  const withheld = await console.list<{ user_id: string; step: string; reason: string }>('campaigns/many/withheld');
  expect(withheld.map(({ user_id, step, reason }) => `${user_id} ${step} ${reason}`).sort()).toEqual(
    expiring.map((user) => `${user} text provider_rate`),
  );
  const results = await console.get('campaigns/many/results');
  expect(results).toMatchObject({ withheld: 2, withheld_by: [{ reason: 'provider_rate', count: 2 }] });

  await setRate(100);
  await until('the last SMS to be sent', async () => (await inState('sent')).length === 2, { limitMs });
  expect((await inState('sent')).map(({ user_id }) => user_id)).toContain(last);
  expect(providers.taken).toHaveLength(2);
});
