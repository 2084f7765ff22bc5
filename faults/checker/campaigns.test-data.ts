import type { Payment } from '../load/campaign-life.ts';
import type { CampaignEvidence, KeptMessage, KeptRun } from './campaigns.ts';

/** A payment, its run, which is done, and everything that the run ordered. */
export const payment: Payment = {
  payment_id: 'a-1',
  user_id: 'ann',
  begins: 'withdrew',
  poison: null,
  published_at: 900,
  timestamp: 890,
  acknowledged_at: 1_000,
  rolled_back_at: null,
  rollback_timestamp: null,
};
export const run: KeptRun = {
  run_id: 1,
  campaign: 'withdrew',
  version: 1,
  payment_id: 'a-1',
  user_id: 'ann',
  state: 'done',
  reason: null,
  waits: false,
  entered_at: 1_100,
  moved_at: 1_500,
  story: ['text', 'pause', 'mark', 'call', 'mail'].map((step) => ({ step, state: 'done', reason: null, at: 1_500 })),
};
const at = { live_at: null, ordered_at: 1_500 };
export const email: KeptMessage = { key: 'withdrew mail a-1', channel: 'email', state: 'sent', reason: null, ...at };
export const sms: KeptMessage = {
  key: 'withdrew text a-1',
  channel: 'sms',
  state: 'unknown',
  reason: 'timeout',
  ...at,
};

export const sound: CampaignEvidence = {
  life: {
    users: ['ann'],
    payments: [payment],
    excluded: new Map(),
    withdrew: new Map(),
    quiet: { users: ['ben'], ends_at: 30_000 },
    starts_at: 40_000,
    changes: {
      pause: { requested_at: 50_000, acknowledged_at: 51_000 },
      grow: { requested_at: 55_000, acknowledged_at: 56_000 },
      stop: { requested_at: 60_000, acknowledged_at: 61_000 },
      resume: { requested_at: 70_000, acknowledged_at: 71_000 },
    },
  },
  runs: [run],
  messages: [email, sms],
  taken: [{ channel: 'email', key: email.key, at: 2_000 }],
  pushed: [],
  shown: [],
  asked: [],
  credits: [],
  allowance: 1,
  failed: [],
  failedBefore: [],
  bursts: [],
  calmPayments: [],
  journal: [],
};
