import Type, { type TSchema } from 'typebox';
import type { Answer, Call, Parameter } from '../calls/call.ts';
import { blocksRecord, consentsRecord, userDetails } from './player-records.ts';
import * as requests from './requests.ts';
import { sampleBlocks, sampleConsents, sampleUserDetails } from './samples.ts';

const userid: Parameter = {
  in: 'path',
  name: 'userid',
  required: true,
  description: 'Identifier of the player, percent-encoded.',
  schema: Type.String({ minLength: 1 }),
  example: '7865312321',
};

const unknownPlayer: Answer = {
  status: 404,
  description: 'The player is not known (yet). The platform retries later.',
};

function record(schemaName: string, schema: TSchema, sample: unknown, description: string): Answer {
  return { status: 200, description, schema, schemaName, samples: { [schemaName]: sample } };
}

const failures: readonly Answer[] = [
  { status: 400, description: 'Refused permanently. The platform does not retry.' },
  { status: 500, description: 'Failed.' },
];

const references: readonly Parameter[] = [
  reference('Idempotency-Key', 'The same for every retry of one credit.', 'b2c7a0e4-0d5e-4b6e-9d2e-6a1f5a2d9c11'),
  reference('X-Crm-Id', 'Unique per intent. You can return it in bonus events as crm_references.id.', 'b2c7a0e4'),
  reference('X-Crm-Activityid', 'The activity that caused the call.', '41'),
  reference('X-Crm-Actionid', 'The action that caused the call.', '7'),
  reference('X-Crm-Actiongroupid', 'The group of that action.', '3'),
  reference('X-Crm-Triggerhash', 'The trigger of the action.', '9f86d081'),
];

function reference(name: string, description: string, example: string): Parameter {
  return { in: 'header', name, description, schema: Type.String(), example };
}

/**
 * The endpoints that an operator provides and the platform calls: docs/reference/interface.md, Endpoints A, and the
 * further ones of docs/reference/decisions.md 4.
 */
export const operatorCalls: readonly Call[] = [
  {
    name: 'getUserDetails',
    method: 'GET',
    path: '/userdetails/{userid}',
    tag: 'Players',
    summary: 'Details of a player',
    description:
      'Called after a registration, login or user update, and in a re-synchronization. The result must not be cached.',
    parameters: [userid],
    answers: [record('UserDetails', userDetails, sampleUserDetails, 'The details.'), unknownPlayer],
  },
  {
    name: 'getConsents',
    method: 'GET',
    path: '/userconsents/{userid}',
    tag: 'Players',
    summary: 'Consents of a player',
    parameters: [userid],
    answers: [record('ConsentsRecord', consentsRecord, sampleConsents, 'The consents.'), unknownPlayer],
  },
  {
    name: 'setConsents',
    method: 'POST',
    path: '/userconsents/{userid}',
    tag: 'Players',
    summary: 'Store consents of a player',
    description:
      'Called when a consent changes in the platform, for example because the player unsubscribes. The body contains only the consents that changed.',
    parameters: [userid],
    request: {
      schema: consentsRecord,
      schemaName: 'ConsentsRecord',
      samples: { unsubscribe: { consents: [{ type: 'Email', opted_in: false }] } },
    },
    answers: [{ status: 200, description: 'Stored.' }, ...failures],
  },
  {
    name: 'getBlocks',
    method: 'GET',
    path: '/userblocks/{userid}',
    tag: 'Players',
    summary: 'Blocks of a player',
    parameters: [userid],
    answers: [record('BlocksRecord', blocksRecord, sampleBlocks, 'The blocks.'), unknownPlayer],
  },
  {
    name: 'setBlocks',
    method: 'POST',
    path: '/userblocks/{userid}',
    tag: 'Players',
    summary: 'Store blocks of a player (optional, off by default)',
    parameters: [userid],
    request: { schema: blocksRecord, schemaName: 'BlocksRecord', samples: { blocks: sampleBlocks } },
    answers: [{ status: 200, description: 'Stored.' }, ...failures],
  },
  {
    name: 'creditBonus',
    method: 'POST',
    path: '/bonus/credit',
    tag: 'Bonuses',
    summary: 'Credit a bonus',
    description: 'Immediately makes the player active or eligible for the bonus.',
    parameters: references,
    request: {
      schema: requests.bonusCredit,
      schemaName: 'BonusCredit',
      samples: { credit: { user_id: '7865312321', bonus_code: 'WELCOME100' } },
    },
    answers: [{ status: 200, description: 'Credited.' }, ...failures],
  },
  {
    name: 'creditFunds',
    method: 'POST',
    path: '/bonus/credit/funds',
    tag: 'Bonuses',
    summary: 'Credit bonus funds to the wallet',
    parameters: references,
    request: {
      schema: requests.bonusCreditFunds,
      schemaName: 'BonusCreditFunds',
      samples: { funds: { user_id: '7865312321', bonus_code: 'CASHBACK', amount: 12.5, currency: 'EUR' } },
    },
    answers: [{ status: 200, description: 'Credited.' }, ...failures],
  },
  {
    name: 'listBonuses',
    method: 'GET',
    path: '/bonus/list',
    tag: 'Bonuses',
    summary: 'List of offered bonuses (optional)',
    answers: [
      record(
        'BonusList',
        requests.bonusList,
        { Data: [{ text: 'Welcome bonus 100 %', value: 'WELCOME100' }], Success: true, Errors: [] },
        'The bonuses.',
      ),
    ],
  },
  {
    name: 'reconcile',
    method: 'POST',
    path: '/reconciliation',
    tag: 'Reconciliation',
    summary: 'All players for whom a key is true',
    request: {
      schema: requests.reconciliationRequest,
      schemaName: 'ReconciliationRequest',
      samples: { blocked: { field: 'blocked' } },
    },
    answers: [
      {
        status: 200,
        description: 'The players, or an error that occurred while the answer was streamed.',
        schema: requests.reconciliationResult,
        schemaName: 'ReconciliationResult',
        samples: {
          blocked: { users: ['7865312321', '7865312400'], timestamp: '2026-03-02T08:00:00.000000Z' },
          time_out: { timestamp: '2026-03-02T08:00:00.000000Z', error: 'time-out' },
        },
      },
      { status: 501, description: 'The operator does not offer this key. 404 and 405 mean the same.' },
    ],
  },
  {
    name: 'authenticate',
    method: 'POST',
    path: '/authenticate',
    tag: 'Site',
    summary: 'Validate a session id',
    description: 'Called when the browser script starts with a session id. The path is a setting of the brand.',
    request: {
      schema: requests.authenticateRequest,
      schemaName: 'AuthenticateRequest',
      samples: { session: { sid: '0a1b2c3d4e5f' } },
    },
    answers: [
      record('AuthenticateResult', requests.authenticateResult, { user_id: '7865312321' }, 'The session is valid.'),
      { status: 401, description: 'The session is not valid.' },
    ],
  },
];
