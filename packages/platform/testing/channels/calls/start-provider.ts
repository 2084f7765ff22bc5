import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A test provider on a real HTTP server, whose answers the test sets. */
export interface Provider {
  origin: string;
  /** Calls whose whole body arrived, in order. Each is an effect, regardless of the answer. */
  taken: { path: string; headers: IncomingHttpHeaders; body: string }[];
  /** The answers of the next calls, one each; then `usual` again. An answer that does nothing leaves the caller waiting. */
  answers: Answer[];
  usual: Answer;
  stop(): Promise<void>;
}

export type Answer = (response: ServerResponse) => void;

export const answer =
  (status: number, body: string | object = '', headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
/** Accepts the call, and does not answer. */
export const silence: Answer = () => {};
/** Accepts the call, and breaks the connection. */
export const cut: Answer = (response) => void response.socket?.destroy();

export async function startProvider(usual: Answer = answer(200, '{}')): Promise<Provider> {
  const provider: Pick<Provider, 'taken' | 'answers' | 'usual'> = { taken: [], answers: [], usual };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    provider.taken.push({ path: request.url ?? '', headers: request.headers, body });
    (provider.answers.shift() ?? provider.usual)(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(provider, {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
