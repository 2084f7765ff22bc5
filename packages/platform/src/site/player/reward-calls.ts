import { claimRequest, claimResult, reward } from '@croupier/contracts';
import Type from 'typebox';
import { refused, wrongBody } from '../api/documented-answers.ts';
import { endpoint } from '../api/endpoint.ts';
import { SiteRefusal } from '../api/envelope.ts';
import { claimReward, pendingRewards } from './rewards.ts';

/* The calls of `Crm.pendingRewards` and `claimReward` (docs/reference/decisions.md 8). No request names the player. */

const tag = 'Functions of the script';
const Id = '0199d1a2-7c3e-7b11-9f6a-0c2d5e8b4a17';

export const listPendingRewards = endpoint(
  {
    name: 'pendingRewards',
    method: 'GET',
    path: '/Crm/PendingRewards',
    tag,
    summary: 'Rewards that the player can claim, or that are being credited',
    description:
      'Newest first. Credited, expired and withdrawn rewards are omitted, and rewards of paused campaigns that the player has not claimed.',
    may: 'player',
    siteFunction: 'rewards',
    playerLimit: { burst: 60, per_second: 2 },
    answer: Type.Array(reward),
    answerShown: {
      name: 'RewardList',
      sample: [
        {
          Id,
          Code: 'RELOAD50',
          State: 'offered',
          Amount: '12.50',
          Currency: 'EUR',
          Date: '2026-03-02 14:00:00',
          Expires: '2026-03-09 14:00:00',
        },
      ],
      means: 'The rewards.',
    },
  },
  ({ caller }, { pool, clock }) => pendingRewards(pool, caller, clock()),
);

export const claimOneReward = endpoint(
  {
    name: 'claimReward',
    method: 'POST',
    path: '/Crm/ClaimReward',
    tag,
    summary: 'Claim a reward',
    description:
      'The operator is called only once, no matter how often the reward is claimed. A second call returns the current state.',
    may: 'player',
    siteFunction: 'rewards',
    playerLimit: { burst: 20, per_second: 0.5 },
    body: claimRequest,
    bodyShown: { name: 'ClaimRequest', samples: { claim: { Id } } },
    answer: claimResult,
    answerShown: { name: 'ClaimAnswer', sample: { Id, State: 'claimed' }, means: 'The reward is claimed.' },
    refusals: [
      wrongBody,
      refused('The player does not have this reward.', 'unknown_reward'),
      refused('The reward cannot be claimed at the moment, because its campaign is paused.', 'reward_paused'),
      refused('The reward can no longer be claimed.', 'reward_expired', 'reward_withdrawn'),
    ],
  },
  async ({ caller, body }, { pool, gate, clock: now }) => {
    const verdict = await claimReward({ pool, gate, now }, caller, body.Id);
    if (verdict !== 'claimed' && verdict !== 'credited') throw new SiteRefusal(verdict);
    return { Id: body.Id, State: verdict };
  },
);
