import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { type Dial, type SandboxOperator, startSandboxOperator } from '@croupier/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { failureOf } from './failures.ts';
import { type OperatorAddress, OperatorClient } from './operator-client.ts';
import { slotsToWrite, type WritingEndpoint } from './write-slots.ts';

const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;

function clientFor(base_url: string, changes: Partial<OperatorAddress> = {}): OperatorClient {
  const limits = { connect_timeout_ms: 300, call_timeout_ms: 600, max_connections: 4 };
  const client = new OperatorClient({ base_url, auth, ...limits, ...changes });
  onTestFinished(() => client.destroy());
  return client;
}

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const details = { method: 'GET', path: ['userdetails', 'p-1'] } as const;

describe('against the sandbox operator', () => {
  let operator: SandboxOperator;
  beforeAll(async () => {
    operator = await startSandboxOperator({ auth, prefix: '/operator' });
    operator.books.addPlayer('p-1');
    operator.books.addPlayer('a/b ü?#%2F..');
  });
  afterEach(() => operator.dials.clear());
  afterAll(() => operator.stop());

  test('a look-up returns the record and asks for an uncached answer', async () => {
    const result = await clientFor(`${operator.url}/`).call(details);
    expect(result).toMatchObject({ answered: true, status: 200 });
    expect(JSON.parse(result.answered ? result.body.toString() : '')).toMatchObject({ user_id: 'p-1' });
    expect(operator.calls.list().at(-1)?.headers).toMatchObject({
      'cache-control': 'no-store',
      accept: 'application/json',
    });
  });

  test('a user_id stays one path segment whatever characters it contains', async () => {
    const result = await clientFor(operator.url).call({ method: 'GET', path: ['userblocks', 'a/b ü?#%2F..'] });
    expect(result).toMatchObject({ answered: true, status: 200 });
    expect(operator.calls.list().at(-1)?.user_id).toBe('a/b ü?#%2F..');
  });

  const faults: { name: string; dial: Dial; expected: object }[] = [
    { name: 'no answer', dial: { faults: [{ fault: 'timeout' }] }, expected: { failure: 'timeout', sent: true } },
    {
      name: 'an answer of a few bytes a second',
      dial: { faults: [{ fault: 'drip', bytes_per_second: 100 }] },
      expected: { failure: 'timeout', sent: true },
    },
    { name: 'a long delay', dial: { delay_ms: 60_000 }, expected: { failure: 'timeout', sent: true } },
    ...(['before_headers', 'in_headers', 'in_body'] as const).map((at) => ({
      name: `a reset ${at}`,
      dial: { faults: [{ fault: 'reset', at }] } satisfies Dial,
      expected: { failure: 'cut', sent: true },
    })),
    {
      name: '429',
      dial: { faults: [{ fault: 'status', status: 429 }] },
      expected: { status: 429, retry_after_ms: 1_000 },
    },
    {
      name: 'a redirect, not followed',
      dial: { faults: [{ fault: 'status', status: 302, headers: { location: '/operator/userdetails/p-2' } }] },
      expected: { status: 302 },
    },
  ];
  test.each(faults)('$name', async ({ dial, expected }) => {
    operator.dials.set('userdetails', dial);
    const started = performance.now();
    expect(await clientFor(operator.url).call(details)).toMatchObject(expected);
    // The slow answers here take a minute, or never end. So a call that ended within 30 s was cut.
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  test('connections are reused and limited', async () => {
    const sockets = new Set<unknown>();
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      setTimeout(() => response.end('{}'), 5);
    });
    const client = clientFor(url, { max_connections: 3 });
    await Promise.all(Array.from({ length: 30 }, () => client.call(details)));
    expect(sockets.size).toBe(3);
  });
});

describe('against servers that misbehave', () => {
  const endless = (_request: IncomingMessage, response: ServerResponse) => {
    const timer = setInterval(() => response.write('x'.repeat(64 * 1024)), 1);
    response.on('close', () => clearInterval(timer));
  };

  test('an endless answer is cut as soon as it is too large', async () => {
    const url = await serve(endless);
    expect(await clientFor(url).call(details)).toMatchObject({ failure: 'too_large', sent: true });
    expect(await clientFor(url).call({ ...details, maxBytes: 1 })).toMatchObject({ failure: 'too_large' });
  });

  test('if no server listens, the operator is unreachable, and nothing is sent', async () => {
    const server = createTcpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    const result = await clientFor(`http://127.0.0.1:${port}`).call(details);
    expect(result).toMatchObject({ failure: 'unreachable', sent: false });
  });

  test.each(['http://', 'ftp://operator.example', 'operator'])('%s as base_url is unreachable', async (base_url) => {
    expect(await clientFor(base_url).call(details)).toMatchObject({ failure: 'unreachable', sent: false });
  });

  test('a name that does not exist is unreachable', async () => {
    expect(await clientFor('http://operator.invalid').call(details)).toMatchObject({
      failure: 'unreachable',
      sent: false,
    });
  });

  test('a server that never accepts is given up after the connect timeout', async () => {
    // A documentation address: packets to it get lost, or the network reports immediately that there is no route.
    const result = await clientFor('http://192.0.2.1', { call_timeout_ms: 10_000 }).call(details);
    expect(result).toMatchObject({ answered: false, sent: false });
  });

  test('a metadata address is refused, and nothing is sent', async () => {
    const result = await clientFor('http://169.254.169.254/latest').call(details);
    expect(result).toMatchObject({ failure: 'refused_address', sent: false });
  });

  test('an answer that is not HTTP counts as cut', async () => {
    const server = createTcpServer((socket) => socket.end('220 mail.example ESMTP\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const result = await clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).call(details);
    expect(result).toMatchObject({ answered: false, failure: 'cut' });
  });

  const undelimited = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n';
  const resets = [
    ['in a body that ends with its connection', `${undelimited}{"a":1,`],
    ['in such a body that looks complete', `${undelimited}{"a":1}`],
    ['after the headers of such a body', undelimited],
    ['in a body of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\n{"a":1'],
  ] as const;
  test.each(resets)('a reset %s counts as cut', async (_where, answer) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(answer, () => setTimeout(() => socket.resetAndDestroy(), 20)));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const client = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await client.call(details)).toMatchObject({ answered: false, failure: 'cut', sent: true });
    const limits = { silence_ms: 500, signal: new AbortController().signal };
    const whole = client.stream(details, limits, async (body) => {
      for await (const piece of body) expect(piece.length).toBeGreaterThan(0);
    });
    expect(await whole).toMatchObject({ answered: false, failure: 'cut', sent: true });
  });

  test('a body that ends properly with its connection is a complete answer', async () => {
    const server = createTcpServer((socket) => {
      socket.once('data', () => socket.end(`${undelimited}{"a":1}`));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const client = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await client.call(details)).toMatchObject({ answered: true, body: Buffer.from('{"a":1}') });
  });

  test('TLS to a server that does not support it fails, and nothing is sent', async () => {
    const url = await serve((_request, response) => response.end());
    const result = await clientFor(url.replace('http:', 'https:')).call(details);
    expect(result).toMatchObject({ answered: false, failure: 'tls', sent: false });
  });
});

describe('calls that change something', () => {
  test.each([4, 8, 32])(
    'with %i connections, hanging endpoints take no connections from other endpoints',
    async (max_connections) => {
      const url = await serve((request, response) => {
        if (request.url === '/bonus/credit') response.end('{}');
      });
      const client = clientFor(url, { max_connections, call_timeout_ms: 30_000 });
      const call = (writes: WritingEndpoint, ...path: string[]) =>
        client.call({ method: 'POST', writes, path, body: {} });
      const hanging = ([['userconsents_write'], ['userblocks_write'], ['bonus_credit_funds']] as const).flatMap(
        ([endpoint]) =>
          Array.from({ length: slotsToWrite(endpoint, max_connections) }, () => call(endpoint, 'hangs', endpoint)),
      );
      const slots = slotsToWrite('bonus_credit', max_connections);
      const answers = Array.from({ length: slots }, () => call('bonus_credit', 'bonus', 'credit'));
      for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ answered: true, status: 200 });
      await client.destroy();
      for (const ended of await Promise.all(hanging)) expect(ended).toMatchObject({ answered: false });
    },
  );

  test.each(['EHOSTUNREACH', 'ENETUNREACH', 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'ERR_TLS_X'])(
    '%s after the connection was made counts as sent',
    (code) => {
      expect(failureOf(Object.assign(new Error(code), { code, syscall: 'read' }))).toMatchObject({
        failure: 'cut',
        sent: true,
      });
    },
  );
});
