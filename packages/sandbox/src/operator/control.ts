import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperatorAuth } from './auth.ts';
import type { Books, PlayerChanges } from './books.ts';
import type { Calls } from './calls.ts';
import { type Dial, type Dials, type EndpointName, endpoints } from './dials.ts';
import { send } from './reply.ts';

/**
 * `/_control`: the operator's records, dials and calls, for tests in another process. It is not part of the interface.
 *
 *   GET    state                          counts, auth scheme, dials
 *   GET    players?limit=  PUT|GET|DELETE players/:userid     records of one player (PUT adds or changes)
 *   POST   sids {sid, user_id, seconds?}  signs a player in;  DELETE sids/:sid signs out
 *   POST   sids/:sid                      expires that session
 *   GET    credits | writebacks | calls   what the platform did; calls?endpoint=, DELETE calls clears them
 *   GET    dials    PUT dials/:endpoint   one dial, or `*` for all;  DELETE dials  clears all dials
 *   POST   expire-tokens                  revokes every issued OAuth token
 */
export interface Controlled {
  auth: OperatorAuth;
  books: Books;
  dials: Dials;
  calls: Calls;
  expireTokens: () => void;
}

/** Maximum number of players in one answer of `GET players`. */
const pageLimit = 1000;

type Params = { id: string; query: URLSearchParams; body: Record<string, unknown> };

const actions: Record<string, (operator: Controlled, params: Params) => unknown> = {
  'GET state': ({ auth, books, calls, dials }) => ({
    auth: auth.type,
    ...books.counts(),
    calls: Object.fromEntries(endpoints.map((name) => [name, calls.count(name)])),
    dials: dials.all(),
  }),
  'GET players': ({ books }, { query }) => {
    const players = [];
    const wanted = Number(query.get('limit') ?? pageLimit);
    // If the limit were not a number, the loop would go through all hundred million players of the demo.
    const limit = Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, pageLimit) : pageLimit;
    for (const userId of books.userIds()) {
      if (players.length >= limit) break;
      players.push(books.player(userId));
    }
    return { players };
  },
  'GET players/': ({ books }, { id }) => books.player(id),
  'PUT players/': ({ books }, { id, body }) =>
    books.player(id) === undefined
      ? books.addPlayer(id, body as PlayerChanges)
      : books.change(id, body as PlayerChanges),
  'DELETE players/': ({ books }, { id }) => ({ removed: books.removePlayer(id) }),
  'POST sids': ({ books }, { body }) => {
    const seconds = typeof body.seconds === 'number' ? body.seconds : undefined;
    books.signIn(String(body.user_id), String(body.sid), seconds);
    return { status: 'ok' };
  },
  'POST sids/': ({ books }, { id }) => ({ expired: books.expire({ sid: id }) }),
  'DELETE sids/': ({ books }, { id }) => ({ removed: books.signOut(id) }),
  'GET credits': ({ books }) => ({ credits: books.credits }),
  'GET writebacks': ({ books }) => ({ write_backs: books.writeBacks }),
  'GET calls': ({ calls }, { query }) => ({ calls: calls.list(endpointOf(query.get('endpoint'))) }),
  'DELETE calls': ({ calls }) => {
    calls.clear();
    return { status: 'ok' };
  },
  'GET dials': ({ dials }) => dials.all(),
  'PUT dials/': ({ dials }, { id, body }) => {
    const name = id === '*' ? '*' : endpointOf(id);
    if (name === undefined) return undefined;
    dials.set(name, body as Dial);
    return dials.all();
  },
  'DELETE dials': ({ dials }) => {
    dials.clear();
    return dials.all();
  },
  'POST expire-tokens': (operator) => {
    operator.expireTokens();
    return { status: 'ok' };
  },
};

export async function handleControl(operator: Controlled, req: IncomingMessage, res: ServerResponse, path: string) {
  const [, , name = '', id] = path.split('/');
  const action = actions[`${req.method} ${name}${id === undefined ? '' : '/'}`];
  if (action === undefined) return send(res, { status: 404, body: { error: 'unknown control call' } });
  const query = new URL(req.url ?? '/', 'http://sandbox').searchParams;
  const body = await readJson(req);
  if (body === undefined) return send(res, { status: 400, body: { error: 'the body is not a JSON object' } });
  const result = action(operator, { id: decodeURIComponent(id ?? ''), query, body });
  return send(
    res,
    result === undefined ? { status: 404, body: { error: 'not found' } } : { status: 200, body: result },
  );
}

function endpointOf(name: string | null): EndpointName | undefined {
  return endpoints.find((endpoint) => endpoint === name);
}

async function readJson(req: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  const pieces: Buffer[] = [];
  for await (const piece of req as AsyncIterable<Buffer>) pieces.push(piece);
  try {
    const parsed: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8') || '{}');
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
