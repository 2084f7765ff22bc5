import { type ConsentItem, startSandboxOperator } from '@croupier/sandbox';
import { afterAll, expect, vi } from 'vitest';
import { callApi } from './session.ts';
import { setupConsole } from './setup.ts';

const operatorKey = 'key-of-the-operator';
const feedKey = 'key-of-the-feed-of-the-demo-brand';

/**
 * An installation with one brand, whose operator answers as the test says, for one test file. Call
 * `const { operator, installation, browser, ... } = await setupWithOperator()` at its top.
 */
export async function setupWithOperator() {
  const operator = await startSandboxOperator({ auth: { type: 'api_key', value: operatorKey } });
  afterAll(() => operator.stop());
  const { installation, browser, pool } = await setupConsole({
    brands: [
      {
        code: 'demo',
        name: 'Demo Casino',
        base_currency: 'EUR',
        time_zone: 'Europe/Malta',
        api_keys: [{ name: 'main', key: feedKey }],
        campaign_approval: { money: '100' },
        operator: { base_url: operator.url, auth: { type: 'api_key', header: 'X-API-Key', value: operatorKey } },
      },
    ],
  });

  /** Publishes an event that has no data but its player. */
  async function tell(method: 'POST' | 'PUT', what: string, user_id: string): Promise<void> {
    const answer = await fetch(`${installation.url}/v2/integration/${what}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': feedKey },
      body: JSON.stringify({ user_id, timestamp: new Date().toISOString() }),
    });
    expect(answer.status, await answer.text()).toBe(200);
  }

  /** Returns whether the platform has looked up the player at the operator. The gate needs this look-up. */
  async function isReadyToCredit(user_id: string): Promise<boolean> {
    const answer = await fetch(`${installation.url}/api/console/v1/brands/demo/players/${user_id}`, {
      headers: { authorization: `Bearer ${await installation.adminToken()}` },
    });
    const player = (await answer.json()) as { sync?: { state: string } };
    return player.sync?.state === 'current';
  }

  /** Creates a player at the operator, with these consents, and publishes the registration. */
  async function newPlayer(user_id: string, consents: ConsentItem[] = []): Promise<void> {
    operator.books.addPlayer(user_id, { details: { language: 'en' }, consents });
    await tell('POST', 'user', user_id);
    // Unlike `expect.poll`, this also works before the first test.
    await vi.waitFor(async () => expect(await isReadyToCredit(user_id)).toBe(true), { timeout: 20_000 });
  }

  const orderBonus = (user_id: string, bonus_code = 'FREE10') =>
    callApi<{ intent_id: string }>(installation, 'POST', `/brands/demo/players/${user_id}/bonus-credits`, {
      bonus_code,
      offer: false,
    });

  return { operator, operatorKey, installation, browser, pool, tell, newPlayer, isReadyToCredit, orderBonus };
}
