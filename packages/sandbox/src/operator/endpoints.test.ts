import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../../test/ask.ts';
import { reconciliationFields, type SandboxOperator, startSandboxOperator } from './index.ts';

let operator: SandboxOperator;
beforeEach(async () => {
  operator = await startSandboxOperator({ prefix: '/operator' });
  operator.books.addPlayer('anna', {
    details: { first_name: 'Anna' },
    wallet: { currency: 'EUR', real: 1000, bonus: 0 },
  });
});
afterEach(() => operator.stop());

describe('look-ups', () => {
  test('user details have every field of the interface', async () => {
    const { status, body, headers } = await ask(`${operator.url}/userdetails/anna`);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(Object.keys(body as object).sort()).toEqual(
      `address affiliate_reference birth_date city country currency email first_name is_blocked is_excluded language last_name
       market mobile mobile_prefix origin postal_code registration_code registration_date roles segmentation sex title user_id
       username verified_at`.split(/\s+/),
    );
    expect(body).toMatchObject({ user_id: 'anna', first_name: 'Anna', is_blocked: false });
  });

  test('consents and blocks are listed once per type', async () => {
    const consents = await ask(`${operator.url}/userconsents/anna`);
    const blocks = await ask(`${operator.url}/userblocks/anna`);
    const types = ({ body }: { body: unknown }, name: string) =>
      (body as Record<string, { type: string }[]>)[name]?.map((item) => item.type);
    expect(types(consents, 'consents')).toEqual([
      'Email',
      'SMS',
      'Telephone',
      'PostMail',
      'SiteNotification',
      'PushNotification',
    ]);
    expect(types(blocks, 'blocks')).toEqual(['Excluded', 'Blocked']);
  });

  test('an unknown player is 404, an unknown path 404, a wrong method 405', async () => {
    expect((await ask(`${operator.url}/userdetails/nobody`)).status).toBe(404);
    expect((await ask(`${operator.url}/userdetails`)).status).toBe(404);
    expect((await ask(`${operator.url}/other/anna`)).status).toBe(404);
    expect((await ask(operator.url.replace('/operator', '/userdetails/anna'))).status).toBe(404);
    expect((await ask(`${operator.url}/userdetails/anna`, { body: {} })).status).toBe(405);
  });

  test('ids are percent-decoded', async () => {
    operator.books.addPlayer('Zoë Ö/7?');
    const { body } = await ask(`${operator.url}/userdetails/${encodeURIComponent('Zoë Ö/7?')}`);
    expect(body).toMatchObject({ user_id: 'Zoë Ö/7?' });
  });
});

describe('writes', () => {
  test('consents are stored by type, in the spelling the operator knows', async () => {
    const consents = [{ type: 'postMail', opted_in: true }];
    expect((await ask(`${operator.url}/userconsents/anna`, { body: { consents } })).status).toBe(200);
    expect(operator.books.player('anna')?.consents).toContainEqual({ type: 'PostMail', opted_in: true });
    expect(operator.books.player('anna')?.consents).toHaveLength(6);
    expect(operator.books.writeBacks).toMatchObject([{ record: 'consents', user_id: 'anna', body: { consents } }]);
  });

  test('blocks are stored and appear in the flags', async () => {
    const blocks = [{ type: 'Excluded', active: true, note: 'asked for it' }];
    expect((await ask(`${operator.url}/userblocks/anna`, { body: { blocks } })).status).toBe(200);
    expect(operator.books.player('anna')?.details).toMatchObject({ is_excluded: true, is_blocked: false });
  });

  test.each([{}, { consents: 'all' }, { consents: [{ type: 'Email' }] }, 'not json'])(
    'a consents record %j is 400',
    async (body) => {
      expect((await ask(`${operator.url}/userconsents/anna`, { body })).status).toBe(400);
      expect(operator.books.writeBacks).toEqual([]);
    },
  );
});

describe('bonuses', () => {
  const credit = (body: object, headers = {}) => ask(`${operator.url}/bonus/credit`, { body, headers });
  const bonus = { user_id: 'anna', bonus_code: 'RELOAD50' };

  test('a credit is kept with its key, headers and extra fields', async () => {
    const headers = { 'Idempotency-Key': 'k1', 'X-Crm-Id': 'intent-1' };
    expect((await credit({ ...bonus, validity_amount: 3 }, headers)).status).toBe(200);
    expect(operator.books.credits).toMatchObject([
      { ...bonus, endpoint: 'bonus_credit', amount: null, idempotency_key: 'k1', body: { validity_amount: 3 } },
    ]);
    expect(operator.books.credits[0]?.headers).toMatchObject({ 'x-crm-id': 'intent-1' });
  });

  test('funds go into the wallet', async () => {
    const body = { ...bonus, amount: 12.5, currency: 'EUR' };
    expect((await ask(`${operator.url}/bonus/credit/funds`, { body })).status).toBe(200);
    expect(operator.books.player('anna')?.wallet).toEqual({ currency: 'EUR', real: 1000, bonus: 1250 });
  });

  test('a repeated call credits twice, unless the operator honors the key', async () => {
    const headers = { 'Idempotency-Key': 'k1' };
    await credit(bonus, headers);
    await credit(bonus, headers);
    expect(operator.books.credits).toHaveLength(2);
    operator.behavior.honors_idempotency_key = true;
    expect((await credit(bonus, headers)).body).toEqual({ user_bonus_id: 'ub-1' });
    expect(operator.books.credits).toHaveLength(2);
  });

  test.each([
    [{ user_id: 'anna' }],
    [{ bonus_code: 'RELOAD50' }],
    [{ user_id: 7, bonus_code: 'RELOAD50' }],
    [{ user_id: 'nobody', bonus_code: 'RELOAD50' }],
  ])('%j is 400', async (body) => {
    expect((await credit(body)).status).toBe(400);
    expect(operator.books.credits).toEqual([]);
  });

  test('a blocked or excluded player gets no bonus', async () => {
    operator.books.change('anna', { blocks: [{ type: 'Blocked', active: true, note: '' }] });
    expect((await credit(bonus)).status).toBe(400);
  });

  test('the list contains text and code', async () => {
    const { body } = await ask(`${operator.url}/bonus/list`);
    expect(body).toMatchObject({ Success: true, Errors: [] });
    expect((body as { Data: unknown[] }).Data).toContainEqual({ text: '20 free spins', value: 'FREESPINS20' });
  });
});

describe('reconciliation', () => {
  const reconcile = async (field: string) => (await ask(`${operator.url}/reconciliation`, { body: { field } })).body;

  test('each of the nine fields lists the players for whom it is true', async () => {
    const { books } = operator;
    const on = (type: string) => [{ type, opted_in: true }];
    const off = books.player('anna')?.consents.map(({ type }) => ({ type, opted_in: false })) ?? [];
    for (const user of ['anna', 'blocked', 'excluded', 'consent_email', 'consent_sms', 'consent_telephone']) {
      books.addPlayer(user, { consents: off });
    }
    for (const user of ['consent_post_mail', 'consent_site_notification', 'consent_push_notification']) {
      books.addPlayer(user, { consents: off });
    }
    books.change('blocked', { blocks: [{ type: 'Blocked', active: true, note: '' }] });
    books.change('excluded', { blocks: [{ type: 'Excluded', active: true, note: '' }] });
    books.change('consent_email', { consents: on('Email') });
    books.change('consent_sms', { consents: on('SMS') });
    books.change('consent_telephone', { consents: on('Telephone') });
    books.change('consent_post_mail', { consents: on('PostMail') });
    books.change('consent_site_notification', { consents: on('SiteNotification') });
    books.change('consent_push_notification', { consents: on('PushNotification') });
    for (const field of reconciliationFields) {
      const { users, timestamp } = (await reconcile(field)) as { users: string[]; timestamp: string };
      if (field === 'active') expect(users).toHaveLength(7);
      else expect(users).toEqual([field]);
      expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    }
  });

  test('an unknown field is 400', async () => {
    expect((await ask(`${operator.url}/reconciliation`, { body: { field: 'vip' } })).status).toBe(400);
  });

  test('a list that matches none of millions does not delay other calls', { timeout: 60_000 }, async () => {
    const large = await startSandboxOperator({ population: { prefix: 'p', count: 1_000_000_000 } });
    const hangUp = new AbortController();
    try {
      const list = await fetch(`${large.url}/reconciliation`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ field: 'blocked' }),
        signal: hangUp.signal,
      });
      expect(list.status).toBe(200);
      expect((await ask(`${large.url}/userdetails/p1`)).status).toBe(200);
    } finally {
      hangUp.abort();
      await large.stop();
    }
  });

  test('a list of an unlisted population contains only the players that were looked up', async () => {
    const large = await startSandboxOperator({ population: { prefix: 'p', count: 1_000_000_000, isListed: false } });
    try {
      await ask(`${large.url}/userdetails/p999999999`);
      large.books.addPlayer('p7');
      const { body } = await ask(`${large.url}/reconciliation`, { body: { field: 'active' } });
      expect((body as { users: string[] }).users).toEqual(['p7', 'p999999999']);
    } finally {
      await large.stop();
    }
  });

  test('players of a population that were never stored are listed and looked up', async () => {
    const large = await startSandboxOperator({ population: { prefix: 'p', count: 50_000 } });
    try {
      const { body } = await ask(`${large.url}/reconciliation`, { body: { field: 'active' } });
      expect((body as { users: string[] }).users).toHaveLength(50_000);
      expect((await ask(`${large.url}/userdetails/p49999`)).body).toMatchObject({ user_id: 'p49999' });
      expect((await ask(`${large.url}/userdetails/p50000`)).status).toBe(404);
      expect((await ask(`${large.url}/userdetails/p007`)).status).toBe(404);
      expect(large.books.counts()).toMatchObject({ players: 0, population: 50_000 });
    } finally {
      await large.stop();
    }
  });
});
