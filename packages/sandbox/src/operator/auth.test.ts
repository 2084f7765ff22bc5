import { afterEach, expect, test } from 'vitest';
import { ask } from '../../test/ask.ts';
import { type OperatorAuth, type SandboxOperator, startSandboxOperator } from './index.ts';

let operator: SandboxOperator;
let now = 0;
afterEach(() => operator.stop());

async function start(auth: OperatorAuth): Promise<(headers?: Record<string, string>) => Promise<number>> {
  operator = await startSandboxOperator({ auth, now: () => now });
  operator.books.addPlayer('anna');
  return async (headers = {}) => (await ask(`${operator.url}/userdetails/anna`, { headers })).status;
}

function basic(name: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` };
}

test('an API key in a header of any name', async () => {
  const lookUp = await start({ type: 'api_key', header: 'X-Casino-Key', value: 'secret' });
  expect(await lookUp({ 'x-casino-key': 'secret' })).toBe(200);
  expect(await lookUp({ 'X-CASINO-KEY': 'secret' })).toBe(200);
  expect(await lookUp({ 'x-casino-key': 'wrong' })).toBe(401);
  expect(await lookUp({ 'x-api-key': 'secret' })).toBe(401);
  expect(await lookUp()).toBe(401);
  expect(JSON.stringify(operator.calls.list())).not.toContain('"x-casino-key"');
});

test('HTTP Basic', async () => {
  const lookUp = await start({ type: 'basic', username: 'crm', password: 'pä:ss' });
  expect(await lookUp(basic('crm', 'pä:ss'))).toBe(200);
  expect(await lookUp(basic('crm', 'pass'))).toBe(401);
  expect(await lookUp()).toBe(401);
});

test('OAuth 2.0 client_credentials, with tokens that expire', async () => {
  const lookUp = await start({
    type: 'oauth2',
    client_id: 'crm',
    client_secret: 's/1',
    token_seconds: 60,
    scope: 'players',
  });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const token = (body: string, headers = {}) =>
    ask(operator.tokenUrl, { method: 'POST', body, headers: { ...form, ...headers } });
  const grant = 'grant_type=client_credentials&scope=players';

  const inBody = await token(`${grant}&client_id=crm&client_secret=s%2F1`);
  expect(inBody).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 60, scope: 'players' } });
  const inHeader = await token(grant, basic('crm', 's%2F1'));
  expect(inHeader.status).toBe(200);
  for (const { body } of [inBody, inHeader]) {
    const { access_token } = body as { access_token: string };
    expect(await lookUp({ authorization: `Bearer ${access_token}` })).toBe(200);
  }

  const { access_token } = inBody.body as { access_token: string };
  now += 60_000;
  expect(await lookUp({ authorization: `Bearer ${access_token}` })).toBe(401);
  expect(await lookUp({ authorization: 'Bearer invented' })).toBe(401);
  expect((await token(`${grant}&client_id=crm&client_secret=no`)).body).toEqual({ error: 'invalid_client' });
  expect((await token('grant_type=password', basic('crm', 's%2F1'))).body).toEqual({ error: 'unsupported_grant_type' });
  expect((await token('grant_type=client_credentials', basic('crm', 's%2F1'))).body).toEqual({
    error: 'invalid_scope',
  });

  const fresh = (await token(grant, basic('crm', 's%2F1'))).body as { access_token: string };
  operator.expireTokens();
  expect(await lookUp({ authorization: `Bearer ${fresh.access_token}` })).toBe(401);
  expect(JSON.stringify(operator.calls.list())).not.toMatch(/s\/1|s%2F1|Bearer/);
});

test('without a scheme, all calls are accepted', async () => {
  const lookUp = await start({ type: 'none' });
  expect(await lookUp()).toBe(200);
});
