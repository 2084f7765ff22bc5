import { connect, type Socket } from 'node:net';

/*
 * A load generator on bare sockets. We do not use an existing generator, because the generator shares two cores with the server
 * that it measures. With a new body per request, autocannon reaches at most 25,000 requests/s. A bare node:http server answers
 * more (33,000-37,000). The reference would then be the generator's limit, and every ratio would be too good.
 *
 * Each connection has one open request, with keep-alive and without pipelining, like the connections of an operator's pool.
 */

export interface LoadOptions {
  port: number;
  path: string;
  method: 'POST' | 'PUT';
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** Requests per second, spread evenly regardless of response times. If undefined, a connection sends a request after each answer. */
  rate?: number;
}

export interface LoadResult {
  answered: number;
  per_second: number;
  /** Milliseconds from the time at which the request was due to its answer. */
  p50_ms: number;
  p99_ms: number;
  statuses: Record<string, number>;
  errors: number;
}

export interface NextRequest {
  body: string;
  /** Overrides of the options, for a mix of endpoints. */
  path?: string;
  method?: 'POST' | 'PUT';
}

/**
 * @param permit called before each request; a promise makes its connection wait. Use it for loads that follow the
 *   progress of the other side.
 */
export async function runLoad(
  options: LoadOptions,
  next: () => NextRequest,
  permit: () => Promise<void> | undefined = () => undefined,
): Promise<LoadResult> {
  const fixed = Object.entries({
    host: `127.0.0.1:${options.port}`,
    'content-type': 'application/json',
    ...options.headers,
  })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  let errors = 0;
  let stopped = false;
  const idle: Connection[] = [];
  const due: number[] = [];

  const sendNext = (connection: Connection, dueAt: number) => {
    const { body, path = options.path, method = options.method } = next();
    connection.send(
      `${method} ${path} HTTP/1.1\r\n${fixed}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      (status) => {
        latencies.push(performance.now() - dueAt);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (stopped) return;
        if (options.rate === undefined) sendPermitted(connection);
        else {
          const waiting = due.shift();
          if (waiting === undefined) idle.push(connection);
          else sendNext(connection, waiting);
        }
      },
    );
  };

  const sendPermitted = (connection: Connection) => {
    const wait = permit();
    if (wait === undefined) sendNext(connection, performance.now());
    else void wait.then(() => stopped || sendNext(connection, performance.now()));
  };

  const connections = await Promise.all(
    Array.from({ length: options.connections }, () => Connection.open(options.port, () => errors++)),
  );
  const startedAt = performance.now();
  if (options.rate === undefined) for (const connection of connections) sendPermitted(connection);
  else {
    idle.push(...connections);
    const gap = 1_000 / options.rate;
    for (let i = 0; ; ) {
      const now = performance.now();
      if (now - startedAt >= options.seconds * 1_000) break;
      for (; startedAt + i * gap <= now; i++) {
        const connection = idle.pop();
        if (connection) sendNext(connection, startedAt + i * gap);
        else due.push(startedAt + i * gap);
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  const left = startedAt + options.seconds * 1_000 - performance.now();
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  stopped = true;
  const elapsed = (performance.now() - startedAt) / 1_000;
  const answered = latencies.length;
  for (const connection of connections) connection.close();
  latencies.sort((a, b) => a - b);
  const percentile = (p: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * p))] ?? 0;
  return {
    answered,
    per_second: answered / elapsed,
    p50_ms: percentile(0.5),
    p99_ms: percentile(0.99),
    statuses,
    errors,
  };
}

/** One keep-alive connection with one open request. It reads answers with a content-length, which all of ours have. */
class Connection {
  #socket: Socket;
  #received = '';
  #onStatus: (status: number) => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static open(port: number, onError: () => void): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.setEncoding('latin1');
      const connection = new Connection(socket);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        socket.on('error', onError);
        socket.on('data', (text: string) => connection.#receive(text));
        resolve(connection);
      });
    });
  }

  send(request: string, onStatus: (status: number) => void): void {
    this.#onStatus = onStatus;
    this.#socket.write(request);
  }

  #receive(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const at = this.#received.toLowerCase().indexOf('content-length: ');
    const length = at === -1 ? 0 : Number.parseInt(this.#received.slice(at + 16, at + 28), 10);
    if (this.#received.length < headEnd + 4 + length) return;
    const status = Number(this.#received.slice(9, 12));
    this.#received = '';
    this.#onStatus(status);
  }

  close(): void {
    this.#socket.destroy();
  }
}
