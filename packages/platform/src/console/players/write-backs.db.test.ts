import { startSandboxOperator } from '@croupier/sandbox';
import { afterAll, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { makeWorker } from '../../../testing/operator/setup-sync.ts';

const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;
const operator = await startSandboxOperator({ auth, population: { prefix: 'p-', count: 10 } });
afterAll(() => operator.stop());
const page = await setupConsole({ operator: { base_url: operator.url, auth } });
const players = '/brands/malta/players';

await page.publish('login', { user_id: 'p-1', timestamp: '2026-05-01T11:59:00Z' });
await page.derive();

const consents = (body: object, token?: string) =>
  page.call('POST', `${players}/p-1/consents`, { body, ...(token !== undefined && { token }) });
const withdrawal = { changes: [{ type: 'Email', opted_in: false }], note: 'said so on the phone' };

test('a consent that staff withdraw counts immediately, is listed until the operator has it, and is on the timeline and in the audit', async () => {
  const crm = await page.as('crm');
  const answer = await consents(withdrawal, crm);
  expect(answer).toMatchObject({ status: 202, body: { change_id: expect.any(Number) } });
  const { body: player } = await page.get(`${players}/p-1`);
  expect(player.consents).toContainEqual(expect.objectContaining({ type: 'Email', opted_in: false, source: 'staff' }));

  const { body: open } = await page.get('/brands/malta/write-backs');
  const listed = { user_id: 'p-1', type: 'Email', wanted: false, state: 'pending', change_id: answer.body.change_id };
  expect(open).toMatchObject({ items: [listed], next: null });
  expect((await page.get('/brands/malta/write-backs?list=failing')).body.items).toEqual([]);
  const { body: overview } = await page.get('/brands/malta/overview');
  expect(overview.alarms.map(({ code }: { code: string }) => code)).not.toContain('write_backs_waiting');

  const { body: timeline } = await page.get(`${players}/p-1/timeline?kind=change`);
  expect(timeline.items).toMatchObject([{ type: 'change', record: 'consents', changed: 'Email', wanted: false }]);
  const { body: byStaff } = await page.get(`${players}/p-1/timeline?kind=staff`);
  expect(byStaff.items).toMatchObject([{ type: 'staff', action: 'player.consents_changed' }]);
  const { body: effects } = await page.get(`${players}/p-1/timeline?kind=effect`);
  const types = new Set(effects.items.map(({ type }: { type: string }) => type));
  expect(types).toContain('change');
  expect([...types].filter((type) => type === 'staff' || type === 'event')).toEqual([]);
  const { body: audit } = await page.get('/brands/malta/audit');
  expect(audit.items[0]).toMatchObject({
    action: 'player.consents_changed',
    details: { changes: withdrawal.changes, change_id: answer.body.change_id },
  });
  expect(JSON.stringify(audit)).not.toContain('phone');
});

test('when the operator stores the consent, the calls are listed, masked for roles that may not see personal data', async () => {
  const worker = makeWorker(page.pool, [page.brand]);
  await worker.start();
  await expect
    .poll(async () => (await page.get(`${players}/p-1/write-backs`)).body.items[0].state, {
      interval: 10,
      timeout: 15_000,
    })
    .toBe('confirmed');
  await worker.stop();
  const request = { consents: [{ type: 'Email', opted_in: false }] };
  const { body: seen } = await page.get(`${players}/p-1/write-backs`);
  expect(seen).toMatchObject({
    items: [{ note: withdrawal.note, said: false, last_error: null }],
    attempts: [{ record: 'consents', outcome: 'stored', status: 200, request }],
  });
  const { body: masked } = await page.get(`${players}/p-1/write-backs`, await page.as('viewer'));
  expect(masked).toMatchObject({ items: [{ note: '***' }], attempts: [{ request: null, answer: '***' }] });
  expect((await page.get('/brands/malta/write-backs')).body.items).toEqual([]);
});

test('a block of the platform is in force immediately', async () => {
  const body = { type: 'Excluded', active: true, note: 'asked for a break' };
  const answer = await page.call('POST', `${players}/p-1/blocks`, { body, token: await page.as('compliance') });
  expect(answer.status).toBe(202);
  const { body: player } = await page.get(`${players}/p-1`);
  expect(player.blocks).toContainEqual(expect.objectContaining({ type: 'Excluded', active: true, source: 'staff' }));
  const { body: listed } = await page.get('/brands/malta/write-backs');
  expect(listed.items).toMatchObject([{ record: 'blocks', type: 'Excluded', state: 'kept' }]);
});

test.each<[string, object, number]>([
  ['no changes', { changes: [], note: 'x' }, 400],
  ['an unknown type', { changes: [{ type: 'Fax', opted_in: false }], note: 'x' }, 400],
  ['no reason', { changes: withdrawal.changes }, 400],
])('%s is refused', async (_name, body, status) => {
  expect((await consents(body)).status).toBe(status);
});

test('an integrator and a viewer cannot change anything', async () => {
  for (const role of ['integrator', 'viewer'] as const) {
    expect((await consents(withdrawal, await page.as(role))).status).toBe(403);
  }
  expect((await page.call('POST', `${players}/nobody/consents`, { body: withdrawal })).status).toBe(404);
});
