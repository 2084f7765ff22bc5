import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, act, sidOf } from './act.ts';
import { createGate, type OperatorAuth } from './auth.ts';
import { type BooksOptions, createBooks } from './books.ts';
import { type Call, createCalls } from './calls.ts';
import { handleControl } from './control.ts';
import { appliesBeforeEffect, createDials, type EndpointName, type Fault } from './dials.ts';
import { matching, reconciliationText } from './reconciliation.ts';
import { type ReconciliationField, reconciliationFields } from './records.ts';
import { send, sendSpoilt } from './reply.ts';
import { route } from './route.ts';
import { wrongBody } from './wrong-bodies.ts';

/**
 * A fake operator: every endpoint of docs/reference/interface.md, Endpoints A, and the three that docs/reference/decisions.md
 * adds (/authenticate, /bonus/list, a token endpoint). It has its own records, and dials that make it slow, wrong or dishonest.
 *
 * Every call passes the same steps: route, credentials, draw from the dial, delay, effect on the records, answer. A fault
 * applies before or after the effect, so the dial can be set to "credited, then timed out" or to "timed out, never credited".
 */
export interface OperatorOptions extends BooksOptions {
  auth?: OperatorAuth;
  /** The path below which everything is served, e.g. `/operator`. Default none. */
  prefix?: string;
  /** If true, a repeated Idempotency-Key is answered again without a second credit. Default false, as with most operators. */
  honorsIdempotencyKey?: boolean;
  /** Seed of the dials' draws. */
  seed?: number | string;
  /** Serves `/_control` for tests in other processes. Default true. It has no password, so keep the port private. */
  control?: boolean;
}

export type Operator = ReturnType<typeof createOperator>;

/** Largest request body accepted. The largest real one, a consents record, has a few hundred bytes. */
const bodyLimit = 1024 * 1024;

export function createOperator(options: OperatorOptions = {}) {
  const now = options.now ?? Date.now;
  const prefix = options.prefix ?? '';
  const auth: OperatorAuth = options.auth ?? { type: 'none' };
  const gate = createGate(auth, now);
  const books = createBooks(options);
  const dials = createDials(options.seed ?? 1);
  const calls = createCalls();
  const behavior = { honors_idempotency_key: options.honorsIdempotencyKey ?? false, now };
  const operator = { auth, books, dials, calls, behavior, expireTokens: gate.expireTokens };

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const method = req.method ?? 'GET';
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/';
    if (!path.startsWith(`${prefix}/`)) return send(res, { status: 404, body: { error: 'unknown path' } });
    const inner = path.slice(prefix.length);
    if (inner.startsWith('/_control/') && options.control !== false) return handleControl(operator, req, res, inner);

    const found = route(method, inner);
    if (!found.found) return send(res, { status: found.status, body: { error: 'unknown endpoint' } });
    const at = now();
    const text = method === 'GET' ? '' : await readBody(req);
    if (text === undefined) return send(res, { status: 413, body: { error: 'body too large' } });
    const form = found.endpoint === 'token' ? new URLSearchParams(text) : undefined;
    const body = form === undefined ? parse(text) : { grant_type: form.get('grant_type') };
    const call = calls.add({
      at,
      endpoint: found.endpoint,
      method,
      path: inner,
      user_id: found.user_id ?? userOf(body) ?? userOfSid(found.endpoint, body),
      headers: headersOf(req.headers, gate.credentialHeaders),
      body,
    });

    const field = fieldOf(body);
    const { hold } = dials.get(found.endpoint);
    const { delay_ms, fault } = dials.draw(found.endpoint, { user_id: call.user_id ?? undefined, field });
    await hold;
    if (delay_ms > 0) await new Promise((resolve) => setTimeout(resolve, delay_ms).unref());
    call.fault = fault?.fault ?? null;

    const admitted = found.endpoint === 'token' || gate.accepts(req.headers);
    if (!admitted) return finish(call, res, unauthorized, undefined);
    const right = appliesBeforeEffect(fault)
      ? answerWithoutEffect
      : effect(found.endpoint, call, req.headers, form, body, fault);
    return finish(call, res, fault === undefined ? right : applyBodyFault(call, right, fault), fault);
  }

  /** Returns the player of the session. With it, a fault can be limited to the sessions of some players. */
  function userOfSid(endpoint: EndpointName, body: unknown): string | null {
    const sid = endpoint === 'authenticate' ? sidOf(body) : undefined;
    return sid === undefined ? null : (books.userOfSid(sid) ?? null);
  }

  /** Has the effect of a correct operator, and returns its answer. */
  function effect(
    endpoint: EndpointName,
    call: Call,
    headers: IncomingHttpHeaders,
    form: URLSearchParams | undefined,
    body: unknown,
    fault: Fault | undefined,
  ): Answer {
    if (endpoint === 'token') return gate.token(headers, form ?? new URLSearchParams());
    const stale_ms = fault?.fault === 'stale' ? fault.age_ms : undefined;
    const question = { user_id: call.user_id ?? undefined, body, headers: call.headers };
    return act(books, endpoint, question, { ...behavior, stale_ms });
  }

  /** Replaces the correct answer, if the fault is in the message. Faults of the connection are applied when it is sent. */
  function applyBodyFault(call: Call, right: Answer, fault: Fault): Answer {
    switch (fault.fault) {
      case 'unauthorized':
        return unauthorized;
      case 'status': {
        const status = fault.status ?? 500;
        const headers = status === 429 ? { 'retry-after': '1', ...fault.headers } : { ...fault.headers };
        return { status, body: fault.body ?? { error: `sandbox fault ${status}` }, headers };
      }
      case 'error_body':
        return { status: 200, body: fault.body ?? { error: 'bonus engine not available' } };
      case 'wrong_body': {
        // A refusal has no effect. With status 200, it would say that a bonus was credited.
        if (right.status !== 200) return right;
        const { body, html } = wrongBody(books, call.endpoint, call.user_id ?? undefined, right.body, fault.shape);
        return { status: 200, body, ...(html ? { headers: { 'content-type': 'text/html; charset=utf-8' } } : {}) };
      }
      case 'cut':
      case 'error_in_stream': {
        const field = reconciliationFields.find((name) => name === fieldOf(call.body));
        return field === undefined ? right : { status: 200, body: null, stream: spoiltStream(field, fault) };
      }
      default:
        return right;
    }
  }

  function spoiltStream(field: ReconciliationField, fault: Extract<Fault, { fault: 'cut' | 'error_in_stream' }>) {
    const users = matching(books, field);
    if (fault.fault === 'cut') return reconciliationText(users, { cutAfter: fault.after });
    return reconciliationText(users, { timestamp: now(), after: fault.after, error: fault.error ?? 'time-out' });
  }

  async function finish(call: Call, res: ServerResponse, answer: Answer, fault: Fault | undefined): Promise<void> {
    const silent = fault?.fault === 'timeout' || (fault?.fault === 'reset' && fault.at !== 'in_body');
    call.status = silent ? null : answer.status;
    try {
      if (fault === undefined) await send(res, answer);
      else await sendSpoilt(res, answer, fault);
    } finally {
      calls.done(call);
    }
  }

  return { ...operator, handle };
}

const unauthorized: Answer = { status: 401, body: { error: 'unauthorized' } };
/** The answer for a fault before the effect: nothing was done, so there is no result to answer with. */
const answerWithoutEffect: Answer = { status: 200, body: { status: 'ok' } };

async function readBody(req: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of req as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size <= bodyLimit) pieces.push(piece);
  }
  return size > bodyLimit ? undefined : Buffer.concat(pieces).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headersOf(headers: IncomingHttpHeaders, without: readonly string[]): Record<string, string> {
  const retained: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !without.includes(name)) retained[name] = String(value);
  }
  return retained;
}

function userOf(body: unknown): string | null {
  const userId = typeof body === 'object' && body !== null && 'user_id' in body ? body.user_id : undefined;
  return typeof userId === 'string' ? userId : null;
}

function fieldOf(body: unknown): string | undefined {
  const field = typeof body === 'object' && body !== null && 'field' in body ? body.field : undefined;
  return typeof field === 'string' ? field : undefined;
}
