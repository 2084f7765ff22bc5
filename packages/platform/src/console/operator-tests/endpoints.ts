import { blockTypes, consentTypes } from '@croupier/contracts';
import { Type } from 'typebox';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Nullable } from '../routing/fields.ts';

/** Endpoints whose call changes nothing at the operator. Croupier calls them for a test. */
export const testedEndpoints = [
  'userdetails',
  'userconsents',
  'userblocks',
  'bonus_list',
  'reconciliation',
  'authenticate',
  'token',
] as const;
export type TestedEndpoint = (typeof testedEndpoints)[number];

/** Endpoints whose call credits a bonus or changes data of the player. A test is an ordinary change of the test user. */
export const changingEndpoints = [
  'userconsents_write',
  'userblocks_write',
  'bonus_credit',
  'bonus_credit_funds',
] as const;
export type ChangingEndpoint = (typeof changingEndpoints)[number];

const strict = { additionalProperties: false };

export const RequestShown = Type.Object(
  {
    method: Type.String({ examples: ['POST'] }),
    url: Type.String({ examples: ['https://api.casino.example/bonus/credit'] }),
    headers: Type.Record(Type.String(), Type.String(), { description: 'Credentials are masked' }),
    body: Nullable(Type.String({ description: 'As it is sent. The session id of a player is masked' })),
  },
  { description: 'The exact request' },
);

export const testOperatorEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/operator-tests',
  tag: 'Operator',
  summary: "Call one of the operator's endpoints now, for the test user, and show how Croupier judges the answer",
  description:
    'Only endpoints that change nothing are called, and Croupier stores no part of the answer. The call counts in the health of the endpoint, unless the operator refuses a session id. userdetails, userconsents and userblocks are called for the test user of the brand. reconciliation requests the list `excluded`, reads it for 30 s at most, and does not apply it. authenticate sends `sid`. Without it, a random session id is sent, which the operator must refuse. token requests a new OAuth token. The audit records the test without the session id.',
  may: 'player.refresh',
  conflict: 'The brand has no operator or no test user, or the operator does not use OAuth 2.0',
  tooMany: 'Ten tests of a brand in a row are allowed, then one every five seconds',
  params: BrandParams,
  body: Type.Object(
    {
      endpoint: Type.Enum([...testedEndpoints]),
      sid: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4_096,
          description: 'For authenticate: session id of a signed-in player',
        }),
      ),
    },
    strict,
  ),
  status: 200,
  answer: Type.Object({
    request: RequestShown,
    status: Nullable(Type.Integer({ description: 'Null: no answer, or an answer that is not shown' })),
    took_ms: Type.Integer(),
    body: Nullable(
      Type.String({
        description: 'The first 16 KiB of the answer. Personal data is masked for roles that may not see it',
      }),
    ),
    body_cut: Type.Boolean(),
    outcome: Type.Enum(['works', 'not_offered', 'fails'], {
      description: 'not_offered: Croupier works without this endpoint',
    }),
    reason: Nullable(Type.String({ examples: ['unauthorized', 'timeout', 'sid_refused'] })),
    detail: Nullable(Type.String({ description: 'In the language of the call (header Accept-Language)' })),
    entries: Nullable(Type.Integer({ description: 'Usable entries of a list' })),
    findings: Type.Array(Type.Object({ path: Type.String({ examples: ['birth_date'] }), message: Type.String() }), {
      description: 'Parts of the answer that could not be used',
    }),
  }),
});

export const previewOperatorCall = endpoint({
  method: 'POST',
  path: '/brands/:brand/operator-tests/preview',
  tag: 'Operator',
  summary: 'Show the exact request of a call that would change the test user at the operator, without sending it',
  description:
    'To send it, make the change: `POST players/:user_id/consents`, `.../blocks` or `.../bonus-credits` for the test user. The call then has its intent, its entry in the audit and its retries. The intent of a bonus does not exist yet, so the headers contain `(id of the intent)` in place of its id.',
  may: 'player.read',
  conflict: 'The brand has no operator or no test user',
  params: BrandParams,
  body: Type.Object(
    {
      endpoint: Type.Enum([...changingEndpoints]),
      type: Type.Optional(
        Type.Enum([...consentTypes, ...blockTypes], {
          description: 'Required for userconsents_write and userblocks_write',
        }),
      ),
      value: Type.Optional(Type.Boolean({ description: 'opted_in of a consent, active of a block' })),
      note: Type.Optional(Type.String({ maxLength: 2_000, description: 'For userblocks_write' })),
      bonus_code: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Required for both bonus endpoints' }),
      ),
      amount: Type.Optional(
        Type.String({ description: 'Required for bonus_credit_funds. Above 0', examples: ['10.00'] }),
      ),
      currency: Type.Optional(
        Type.String({ pattern: '^[A-Za-z0-9]{3,10}$', description: 'Required for bonus_credit_funds' }),
      ),
    },
    strict,
  ),
  status: 200,
  answer: Type.Object({ user_id: Type.String({ description: 'The test user' }), request: RequestShown }),
});
