import { connect, type Socket } from 'node:net';

/*
 * Simulates, in a separate process, callers without a credential that send the worst requests as fast as they are
 * answered. Each connection sends all of the calls in turn. If the platform closes it, a new one is opened.
 *
 *   node hostile.ts <port> <connections>      reports ready, runs until it is stopped, and reports its answers every second
 */
const [port = 0, connections = 50] = process.argv.slice(2).map(Number);

const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join(',')}}`;
const megabyte = keys(90_000);
const deep = '['.repeat(4_000);

function call(method: string, path: string, body: string, headers = ''): string {
  return (
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${headers}` +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

let guess = 0;
/** Generated per call, so that no cache answers. */
const calls: (() => string)[] = [
  () => call('POST', '/api/console/v1/session', megabyte),
  () => call('POST', '/api/console/v1/session', deep),
  () =>
    call(
      'POST',
      '/api/console/v1/session',
      JSON.stringify({ email: `a${guess++}@x.example`, password: 'x'.repeat(100) }),
    ),
  () => call('POST', '/v1/integration/casino', megabyte, `x-api-key: wrong-${guess++}\r\n`),
  () => call('POST', '/site/bench/Crm/PushRenewed', keys(300)),
  () => call('POST', '/site/bench/Crm/PushClicked', megabyte),
  () => call('POST', '/site/bench/Platform/LoginAuthToken', '', `authtoken: wrong-${guess++}\r\n`),
  () => call('POST', `/api/console/v1/brands/${'x'.repeat(400)}/keys`, megabyte),
  () => call('POST', '/u/not-a-token', 'stop=all&'.repeat(400)),
  () => call('POST', '/nothing', megabyte),
  () => call('GET', '/openapi/console.json', ''),
  () => call('GET', '/health/ready', ''),
];

const statuses: Record<string, number> = {};

function attack(turn: number): void {
  const socket: Socket = connect({ port, host: '127.0.0.1' });
  let answers = '';
  let next = turn;
  const send = () => socket.write(calls[next++ % calls.length]?.() ?? '');
  socket.setEncoding('latin1');
  socket.on('connect', send);
  socket.on('data', (text: string) => {
    answers += text;
    const end = answers.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(answers)?.[1] ?? 0);
    if (answers.length < end + 4 + length) return;
    const status = answers.slice(9, 12);
    statuses[status] = (statuses[status] ?? 0) + 1;
    answers = '';
    send();
  });
  socket.on('error', () => {
    statuses.cut = (statuses.cut ?? 0) + 1;
  });
  socket.on('close', () => setImmediate(() => attack(next)));
}

for (let i = 0; i < connections; i++) attack(i);
process.on('message', () => process.send?.({ statuses }));
process.send?.('ready');
