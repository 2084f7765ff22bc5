import { describe, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();
await console.publish('login', { user_id: 'anna', timestamp: '2026-05-01T11:59:00Z' });
await console.derive();
const path = '/brands/malta/players/anna/unsubscribe-link';

describe('the unsubscribe link of a player', () => {
  test.each([
    ['email', /^https:\/\/crm\.example\/unsubscribe\/[0-9A-Za-z]+$/],
    ['Email', /^https:\/\/crm\.example\/unsubscribe\/[0-9A-Za-z]+$/],
    ['sms', /^https:\/\/crm\.example\/u\/[0-9A-Za-z]{1,20}$/],
    ['push', /^https:\/\/crm\.example\/unsubscribe\/[0-9A-Za-z]+$/],
  ])('is always the same for %s', async (channel, url) => {
    const first = await console.call('POST', path, { body: { channel } });
    expect([first.status, first.body.url]).toEqual([200, expect.stringMatching(url)]);
    expect((await console.call('POST', path, { body: { channel } })).body).toEqual(first.body);
  });

  test('has the requested form', async () => {
    const { body } = await console.call('POST', path, { body: { channel: 'email', form: 'short' } });
    expect(body.url).toMatch(/\/u\//);
  });

  test('is recorded in the audit when it is read, but the record does not contain it', async () => {
    const { body } = await console.call('POST', path, { body: { channel: 'telephone' } });
    const { items } = (await console.get('/brands/malta/audit')).body;
    const entry = items.find((one: { action: string }) => one.action === 'player.unsubscribe_link_read');
    expect(entry.details).toEqual({ channel: 'Telephone' });
    expect(JSON.stringify(items)).not.toContain(body.url.split('/').at(-1));
  });

  test('requires permission to change consents, and an existing player', async () => {
    const viewer = await console.as('viewer');
    expect((await console.call('POST', path, { body: { channel: 'email' }, token: viewer })).status).toBe(403);
    const unknown = path.replace('anna', 'nobody');
    expect((await console.call('POST', unknown, { body: { channel: 'email' } })).status).toBe(404);
    expect((await console.call('POST', path, { body: { channel: 'bonus' } })).status).toBe(400);
  });
});
