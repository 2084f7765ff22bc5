import Type from 'typebox';
import type { Call } from '../calls/call.ts';
import { answered, refused, sessionRefusals } from './answers.ts';
import * as records from './player-records.ts';

/*
 * Calls of the script's functions beyond notifications: `Crm.track`, `pendingRewards`, `claimReward`, `profile`, `setConsent`
 * (docs/reference/decisions.md 8). Paths of our own, below /Crm. Whose player they are about is never in the request.
 */

const wrongBody = refused('A field is missing or wrong; the message names it.', 'invalid_request');
const switchedOff = refused('The brand has switched the function off (setting site_functions).', 'function_off');

const rewardId = '0199d1a2-7c3e-7b11-9f6a-0c2d5e8b4a17';

export const playerCalls: readonly Call[] = [
  {
    name: 'trackEvent',
    method: 'POST',
    path: '/Crm/Events',
    tag: 'Functions of the script',
    summary: 'Record an event of the player',
    description:
      'It becomes a site event, for triggers and segments; events of this call are never counted with the custom events of the operator. Answered when it is durable; after a 503, send it again with the same Id. Its time is the one at which the platform first heard of it.',
    request: {
      schema: records.trackRequest,
      schemaName: 'TrackRequest',
      samples: {
        viewed: {
          Name: 'promotion_viewed',
          Data: { promotion: 'spring', position: 2 },
          Id: '6f2c1a90-4a3d-4c58-9a55-1f0f7b7a2c11',
        },
      },
    },
    answers: [
      answered('TrackAnswer', records.trackResult, { Id: '6f2c1a90-4a3d-4c58-9a55-1f0f7b7a2c11' }, 'It is durable.'),
      ...[wrongBody, switchedOff, ...sessionRefusals],
    ],
  },
  {
    name: 'pendingRewards',
    method: 'GET',
    path: '/Crm/PendingRewards',
    tag: 'Functions of the script',
    summary: 'Rewards that the player can claim, or has claimed and that are on their way',
    description: 'The newest first. Those that are credited, have expired or were withdrawn are left out.',
    answers: [
      answered(
        'RewardList',
        Type.Array(records.reward),
        [
          {
            Id: rewardId,
            Code: 'RELOAD50',
            State: 'offered',
            Amount: '12.50',
            Currency: 'EUR',
            Date: '2026-03-02 14:00:00',
            Expires: '2026-03-09 14:00:00',
          },
        ],
        'The rewards.',
      ),
      ...[switchedOff, ...sessionRefusals],
    ],
  },
  {
    name: 'claimReward',
    method: 'POST',
    path: '/Crm/ClaimReward',
    tag: 'Functions of the script',
    summary: 'Claim a reward',
    description:
      'The operator is called once, however often it is claimed; claiming again is harmless and tells where it stands.',
    request: {
      schema: records.claimRequest,
      schemaName: 'ClaimRequest',
      samples: { claim: { Id: rewardId } },
    },
    answers: [
      answered('ClaimAnswer', records.claimResult, { Id: rewardId, State: 'claimed' }, 'It is claimed.'),
      ...[wrongBody, switchedOff, ...sessionRefusals],
      refused('The player has no such reward.', 'unknown_reward'),
      refused('It can be claimed no more.', 'reward_expired', 'reward_withdrawn'),
    ],
  },
  {
    name: 'getProfile',
    method: 'GET',
    path: '/Crm/Profile',
    tag: 'Functions of the script',
    summary: "The player's consents",
    answers: [
      answered(
        'ProfileAnswer',
        records.playerProfile,
        { UserId: 51, Consents: [{ Type: 'Email', OptedIn: true, AsOf: '2026-03-02 14:00:00' }] },
        'One entry for each type of the interface.',
      ),
      ...[switchedOff, ...sessionRefusals],
    ],
  },
  {
    name: 'setConsent',
    method: 'POST',
    path: '/Crm/Consent',
    tag: 'Functions of the script',
    summary: 'Give or withdraw a consent of the player',
    description: 'Every decision counts with it from the answer on; the operator is told.',
    request: {
      schema: records.consentRequest,
      schemaName: 'ConsentRequest',
      samples: { withdraw: { Type: 'Email', OptedIn: false } },
    },
    answers: [
      answered(
        'ConsentAnswer',
        records.consentState,
        { Type: 'Email', OptedIn: false, AsOf: '2026-03-02 14:00:00' },
        'What is held from now on.',
      ),
      ...[wrongBody, switchedOff, ...sessionRefusals],
    ],
  },
];
