import { startSandboxOperator } from '@croupier/sandbox';
import { afterAll, expect, test } from 'vitest';
import type { ShownPlayer } from '../faults/checker/read-console.ts';
import { consoleOf } from '../faults/installation/console.ts';
import { startInstallation } from '../faults/installation/installation.ts';
import { until } from '../faults/installation/until.ts';
import { setupDatabase } from '../packages/platform/testing/database.ts';
import { publish } from './publish.ts';

/*
 * Follows an unsubscription through the processes of an installation, from the link in an e-mail to the operator's records
 * (docs/reference/interface.md, Endpoints A, rule 3):
 *
 *   mail program --- POST <link>, List-Unsubscribe=One-Click ---> platform (api)
 *   operator    <--- POST /userconsents/:userid ----------------- platform (worker)
 */
const { url: databaseUrl } = await setupDatabase();
const operator = await startSandboxOperator({ auth: { type: 'api_key', value: 'key-of-the-operator' } });
afterAll(() => operator.stop());
const installation = await startInstallation({
  databaseUrl,
  operator: { url: operator.url, key: 'key-of-the-operator' },
  brand: { display_name: 'Demo Casino' },
});
afterAll(() => installation.stop());
const console = consoleOf(installation);

const userId = 'maria-7';
const booked = (type: string) => operator.books.player(userId)?.consents.find((one) => one.type === type)?.opted_in;
const present = async () => {
  const player = await console.get<ShownPlayer & { consents: { type: string; opted_in: boolean }[] }>(
    `players/${userId}`,
  );
  return Object.fromEntries((player?.consents ?? []).map(({ type, opted_in }) => [type, opted_in]));
};

test('the operator stores the withdrawal after one click in a mail program', { timeout: 60_000 }, async () => {
  operator.books.addPlayer(userId, { details: { language: 'en' } });
  operator.books.change(userId, {
    consents: [
      { type: 'Email', opted_in: true },
      { type: 'SMS', opted_in: true },
    ],
  });
  await publish(installation, '/v2/integration/user', { user_id: userId, timestamp: new Date().toISOString() });
  await until('the consents to be known', async () => (await present()).Email === true, { limitMs: 10_000 });

  const link = await console.post<{ url: string }>(`players/${userId}/unsubscribe-link`, { channel: 'email' });
  const address = `${installation.url}${new URL(link.url).pathname}`;

  // A scanner or the player opens the link. This changes nothing.
  const page = await fetch(address);
  expect([page.status, (await page.text()).includes('Stop e-mails from Demo Casino')]).toEqual([200, true]);
  expect(await present()).toMatchObject({ Email: true, SMS: true });

  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(address, { method: 'POST', body, redirect: 'manual' })).status).toBe(200);
  expect(await present()).toMatchObject({ Email: false, SMS: true });
  await until('the operator to store the withdrawal', async () => booked('Email') === false, { limitMs: 10_000 });
  expect(booked('SMS')).toBe(true);
  expect(operator.books.writeBacks.map((write) => write.body)).toEqual([
    { consents: [{ type: 'Email', opted_in: false }] },
  ]);
});
