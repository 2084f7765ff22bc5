import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Brand, OperatorSettings } from '../../brands/index.ts';
import { Allowance } from '../../http/allowance.ts';
import { type CallResult, type OperatorCall, OperatorClient } from '../../operator/calling/index.ts';
import { tryList } from '../../operator/reconciliation/index.ts';
import { readSpellings } from '../../operator/writeback/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { knownPlayer } from '../players/known-player.ts';
import { fundsOf } from '../rewards/action-routes.ts';
import { Refused, refusedField } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { previewOperatorCall, type TestedEndpoint, testOperatorEndpoint } from './endpoints.ts';
import {
  bonusCall,
  type ShownRequest,
  shownRequest,
  shownTokenRequest,
  testCall,
  testedList,
  writeCall,
} from './requests.ts';
import { maskedBody, type Verdict, verdictIn, verdictOf, verdictOfList } from './verdict.ts';

/*
 * "Test now" for the endpoints of the operator. A test calls only endpoints that change nothing. For a call that credits or changes
 * something, there is a preview here. The ordinary routes then make the call, so that a bonus has its intent and its key
 * (docs/reference/design.md 2, rule 6), and a changed consent or block has its place in the queue.
 */

const rate = { burst: 10, per_second: 0.2 };
/** Time for reading a list. A person waits for it. */
const listMs = 30_000;
const bytesShown = 16 * 1024;

type WithOperator = Brand & { operator: OperatorSettings };

interface Tested {
  request: ShownRequest;
  status: number | null;
  /** The beginning of the body; null if it is not shown. */
  body: Buffer | null;
  isCut: boolean;
  verdict: Verdict;
  authenticated: boolean;
}

export function operatorTestRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, operatorClients, operatorHealth } = deps;
  const allowance = new Allowance<number>();

  serve(app, testOperatorEndpoint, async ({ access, brand, body, language }) => {
    const { endpoint } = body;
    const withOperator = operatorOf(brand);
    const user_id = needsTestUser(endpoint) ? testUserOf(brand) : '';
    if (endpoint === 'token' && withOperator.operator.auth.type !== 'oauth2') throw noOauth();
    const wait = allowance.take(brand.brand_id, rate, clock());
    if (wait !== null) throw tooMany(wait);
    const started = performance.now();
    const tested = await run(withOperator, endpoint, { user_id, sid: body.sid });
    const took_ms = performance.now() - started;
    const { status, verdict } = tested;
    const { outcome, reason, detail } = verdict;
    // A 404 for a player is a correct answer of a working endpoint.
    const isUnknownPlayer = reason === 'unknown_player' && status === 404;
    // A refused session id does not show whether the operator accepts the credentials. `requestToken` records requests for tokens.
    if (endpoint !== 'token' && reason !== 'sid_refused' && reason !== 'sid_or_credentials_refused') {
      const failure =
        outcome === 'fails' && !isUnknownPlayer
          ? { reason: reason ?? 'failed', detail: detail ?? `status ${status}` }
          : undefined;
      const { authenticated } = tested;
      operatorHealth.record({ brand_id: brand.brand_id, endpoint, took_ms, authenticated, failure });
    }
    const details = { outcome, reason };
    await record(deps, access, { action: 'operator.tested', brand, subject: `endpoint ${endpoint}`, details });
    const text = tested.body?.toString('utf8') ?? null;
    const mayRead = access.may('personal.read', brand);
    return {
      request: tested.request,
      status,
      took_ms: Math.round(took_ms),
      body: text === null || mayRead ? text : maskedBody(endpoint, text),
      body_cut: tested.isCut,
      ...verdictIn(verdict, language),
    };
  });

  async function run(
    brand: WithOperator,
    endpoint: TestedEndpoint,
    about: { user_id: string; sid: string | undefined },
  ): Promise<Tested> {
    if (endpoint === 'token') return requestToken(brand);
    const sid = about.sid ?? `test-${randomUUID()}`;
    const call = testCall(endpoint, { user_id: about.user_id, sid, operator: brand.operator });
    const request = shownRequest(brand.operator, call);
    const client = operatorClients.of(brand);
    if (client === null) throw noOperator();
    const zone = brand.settings.zoneless_timestamps;
    if (endpoint === 'reconciliation') {
      const limits = { silence_ms: brand.operator.reconciliation_silence_ms, whole_ms: listMs, kept: bytesShown };
      const tried = await tryList(client, testedList, { zone, clock, limits });
      const { status, start, bytes } = tried;
      const body = status === 200 ? start : null;
      const verdict = verdictOfList(tried);
      return { request, status, body, isCut: bytes > bytesShown, verdict, authenticated: isAuthenticated(status) };
    }
    const result = await client.call({ ...call, ...(endpoint === 'bonus_list' && { maxBytes: 2 * 1024 * 1024 }) });
    const isRandomSid = about.sid === undefined;
    const verdict = verdictOf(endpoint, result, { user_id: about.user_id, zone, isRandomSid });
    return { request, ...shownAnswer(result), verdict };
  }

  /** Requests a new token with a new client, because the client of the brand would use the token that it already has. */
  async function requestToken({ operator, brand_id }: WithOperator): Promise<Tested> {
    if (operator.auth.type !== 'oauth2') throw noOauth();
    let failure: { reason: string; detail: string } | undefined = { reason: 'no_token', detail: 'no request was made' };
    const client = new OperatorClient(operator, ({ took_ms, failure: reported }) => {
      failure = reported;
      operatorHealth.record({
        brand_id,
        endpoint: 'token',
        took_ms,
        authenticated: reported === undefined,
        failure: reported,
      });
    });
    try {
      // Any call needs a token. This one changes nothing.
      await client.call({ method: 'GET', path: ['bonus', 'list'] });
    } finally {
      await client.destroy();
    }
    const none = { entries: null, findings: [] };
    const verdict: Verdict =
      failure === undefined
        ? { outcome: 'works', reason: null, detail: null, ...none }
        : { outcome: 'fails', ...(failure as { reason: string; detail: string }), ...none };
    // The answer contains the token.
    return {
      request: shownTokenRequest(operator.auth),
      status: null,
      body: null,
      isCut: false,
      verdict,
      authenticated: true,
    };
  }

  serve(app, previewOperatorCall, async ({ brand, body }) => {
    const withOperator = operatorOf(brand);
    const user_id = testUserOf(brand);
    const { player_id } = await knownPlayer(pool, brand, user_id);
    const call = await previewed(withOperator, { user_id, player_id }, body);
    return { user_id, request: shownRequest(withOperator.operator, call) };
  });

  async function previewed(
    brand: WithOperator,
    { user_id, player_id }: { user_id: string; player_id: number },
    body: {
      endpoint: string;
      type?: string;
      value?: boolean;
      note?: string;
      bonus_code?: string;
      amount?: string;
      currency?: string;
    },
  ): Promise<OperatorCall> {
    const { endpoint, type, value = false, note = '', bonus_code } = body;
    if (endpoint === 'userconsents_write' || endpoint === 'userblocks_write') {
      if (type === undefined) throw missing('type');
      const kind = endpoint === 'userconsents_write' ? 'consents' : 'blocks';
      const spelling = (await readSpellings(pool, player_id, kind)).get(type.toLowerCase()) ?? null;
      return writeCall(kind, user_id, { type, value, note, spelling });
    }
    if (bonus_code === undefined) throw missing('bonus_code');
    if (endpoint === 'bonus_credit') return bonusCall(brand, user_id, { bonus_code, amount: null, currency: null });
    if (body.amount === undefined) throw missing('amount');
    return bonusCall(brand, user_id, { bonus_code, ...fundsOf(body) });
  }
}

function needsTestUser(endpoint: TestedEndpoint): boolean {
  return endpoint === 'userdetails' || endpoint === 'userconsents' || endpoint === 'userblocks';
}

function shownAnswer(result: CallResult): Pick<Tested, 'status' | 'body' | 'isCut' | 'authenticated'> {
  if (!result.answered) return { status: null, body: null, isCut: false, authenticated: false };
  const { status, body } = result;
  const isCut = body.length > bytesShown;
  return { status, body: body.subarray(0, bytesShown), isCut, authenticated: isAuthenticated(status) };
}

function isAuthenticated(status: number | null): boolean {
  return status !== null && status !== 401 && status !== 403;
}

function operatorOf(brand: Brand): WithOperator {
  const { operator } = brand;
  if (operator === null) throw noOperator();
  return { ...brand, operator };
}

function testUserOf(brand: Brand): string {
  if (brand.test_user === null)
    throw new Refused('conflict', {
      en: 'the brand has no test user: set `test_user` first',
      de: 'Die Marke hat keinen Testspieler: Setzen Sie zuerst `test_user`',
    });
  return brand.test_user.user_id;
}

function noOperator(): Refused {
  return new Refused('conflict', { en: 'the brand has no operator', de: 'Die Marke hat keinen Betreiber' });
}

function noOauth(): Refused {
  return new Refused('conflict', {
    en: 'the operator does not use OAuth 2.0',
    de: 'Der Betreiber verwendet kein OAuth 2.0',
  });
}

function missing(path: string): Refused {
  return refusedField(path, 'required', { en: `${path} is missing`, de: `${path} fehlt` });
}

function tooMany(seconds: number): Refused {
  const words = {
    en: `Too many tests in a row. Try again in ${seconds} s.`,
    de: `Zu viele Tests hintereinander. In ${seconds} s ist der nächste möglich.`,
  };
  return new Refused('too_many_requests', words, { retryAfter: seconds });
}
