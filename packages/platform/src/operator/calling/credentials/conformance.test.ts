import {
  type Dial,
  type OperatorAuth as SandboxAuth,
  type SandboxOperator,
  startSandboxOperator,
} from '@croupier/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { OperatorAuth } from '../../../brands/index.ts';
import { OperatorClient } from '../client/operator-client.ts';

/** What every scheme must do, against the sandbox operator. To test another scheme, add a line to `schemes`. */
const schemes: {
  name: string;
  sandbox: SandboxAuth;
  ours: (tokenUrl: string) => OperatorAuth;
  wrong: Record<string, string>;
}[] = [
  {
    name: 'API key',
    sandbox: { type: 'api_key', value: 'key' },
    ours: () => ({ type: 'api_key', header: 'X-API-Key', value: 'key' }),
    wrong: { value: 'other' },
  },
  {
    name: 'API key in a custom header',
    sandbox: { type: 'api_key', header: 'X-Casino-Auth', value: 'key' },
    ours: () => ({ type: 'api_key', header: 'x-casino-auth', value: 'key' }),
    wrong: { header: 'X-API-Key' },
  },
  {
    name: 'Basic',
    sandbox: { type: 'basic', username: 'crm', password: 'p:ä s' },
    ours: () => ({ type: 'basic', username: 'crm', password: 'p:ä s' }),
    wrong: { password: 'p' },
  },
  {
    name: 'OAuth 2.0',
    sandbox: { type: 'oauth2', client_id: 'c:rm', client_secret: 's/e c+', scope: 'crm.read' },
    ours: (token_url) => ({ type: 'oauth2', token_url, client_id: 'c:rm', client_secret: 's/e c+', scope: 'crm.read' }),
    wrong: { client_secret: 'other' },
  },
];

const limits = { connect_timeout_ms: 500, call_timeout_ms: 1_000, max_connections: 8 };
const lookUp = { method: 'GET', path: ['userdetails', 'p-1'] } as const;

describe.each(schemes)('$name', ({ sandbox, ours, wrong }) => {
  let operator: SandboxOperator;
  beforeAll(async () => {
    operator = await startSandboxOperator({ auth: sandbox, prefix: '/operator' });
    operator.books.addPlayer('p-1');
  });
  beforeEach(() => {
    operator.calls.clear();
    operator.dials.clear();
    operator.expireTokens();
  });
  afterAll(() => operator.stop());

  function client(changes: Record<string, string> = {}): OperatorClient {
    const auth = { ...ours(operator.tokenUrl), ...changes } as OperatorAuth;
    const made = new OperatorClient({ base_url: operator.url, auth, ...limits });
    onTestFinished(() => made.destroy());
    return made;
  }

  test('right credentials are accepted', async () => {
    expect(await client().call(lookUp)).toMatchObject({ answered: true, status: 200 });
  });

  test('wrong credentials are refused, as an outcome and not an exception', async () => {
    const result = await client(wrong).call(lookUp);
    expect(result.answered ? result.status : result.failure).toBe(sandbox.type === 'oauth2' ? 'no_token' : 401);
  });

  test('many concurrent calls are all accepted', async () => {
    const one = client();
    const results = await Promise.all(Array.from({ length: 20 }, () => one.call(lookUp)));
    expect(results.filter((result) => result.answered && result.status === 200)).toHaveLength(20);
    expect(operator.calls.count('token')).toBe(sandbox.type === 'oauth2' ? 1 : 0);
  });

  test('after a 401, the call is repeated once if that can help, and never more often', async () => {
    const one = client();
    await one.call(lookUp);
    operator.calls.clear();
    operator.dials.set('userdetails', { faults: [{ fault: 'unauthorized' }] });
    expect(await one.call(lookUp)).toMatchObject({ answered: true, status: 401 });
    expect(operator.calls.count('userdetails')).toBe(sandbox.type === 'oauth2' ? 2 : 1);
  });

  test('credentials that were refused by mistake work again', async () => {
    const one = client();
    await one.call(lookUp);
    operator.expireTokens();
    expect(await one.call(lookUp)).toMatchObject({ answered: true, status: 200 });
  });
});

describe('the token endpoint', () => {
  async function start(seconds = 3600) {
    const auth: SandboxAuth = { type: 'oauth2', client_id: 'crm', client_secret: 'secret', token_seconds: seconds };
    const operator = await startSandboxOperator({ auth });
    operator.books.addPlayer('p-1');
    const ours = { type: 'oauth2', token_url: operator.tokenUrl, client_id: 'crm', client_secret: 'secret' } as const;
    const client = new OperatorClient({ base_url: operator.url, auth: ours, ...limits });
    onTestFinished(async () => {
      await client.destroy();
      await operator.stop();
    });
    return { operator, client };
  }

  test('concurrent calls with an expired token cause one renewal', async () => {
    const { operator, client } = await start();
    await client.call(lookUp);
    operator.expireTokens();
    const results = await Promise.all(Array.from({ length: 8 }, () => client.call(lookUp)));
    expect(results.every((result) => result.answered && result.status === 200)).toBe(true);
    expect(operator.calls.count('token')).toBe(2);
  });

  const dials: [name: string, dial: Dial][] = [
    ['hangs', { faults: [{ fault: 'timeout' }] }],
    ['fails', { faults: [{ fault: 'status', status: 500 }] }],
    ['answers HTML', { faults: [{ fault: 'wrong_body', shape: 'html' }] }],
    ['answers without a token', { faults: [{ fault: 'wrong_body', shape: 'empty_object' }] }],
  ];
  test.each(dials)('%s: the call is not sent', async (_name, dial) => {
    const { operator, client } = await start();
    operator.dials.set('token', dial);
    const result = await client.call(lookUp);
    expect(result).toMatchObject({ answered: false, failure: 'no_token', sent: false });
    expect(operator.calls.count('userdetails')).toBe(0);
    expect(JSON.stringify(result)).not.toContain('secret');
  });
});
