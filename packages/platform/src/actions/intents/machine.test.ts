import type { Micros } from '@croupier/contracts';
import { describe, expect, test } from 'vitest';
import { noon } from '../../../testing/clock.ts';
import { intentStates } from '../intent.ts';
import {
  beginning,
  type CallOutcome,
  type IntentEvent,
  type IntentEventType,
  isOverdue,
  longestWait,
  type StepContext,
  step,
  unknownFor,
} from './machine.ts';
import type { IntentPosition, IntentTerms } from './position.ts';

type Intent = IntentPosition & IntentTerms;
const hour: Micros = 3_600_000_000;
const context: StepContext = { at: noon, idempotent: false, random: 0.5 };

const fresh: Intent = { ...beginning({ offered: false, expires_at: null }, noon).to, expires_at: null };
const called = { attempts: 1, first_attempt_at: noon, last_attempt_at: noon } as const;
/** Every state of the machine, with and without an open call. */
const positions = {
  offered: { ...fresh, state: 'offered', waits_since: null },
  pending: fresh,
  'pending, call open': { ...fresh, ...called, open_attempt: 1 },
  retry: { ...fresh, ...called, state: 'retry', reason: 'unreachable', tries: 1 },
  'retry, call open': { ...fresh, ...called, state: 'retry', reason: 'unreachable', tries: 1, open_attempt: 1 },
  unknown: { ...fresh, ...called, state: 'unknown', reason: 'timeout', doubts: [1], waits_since: null },
  'unknown, repeat open': {
    ...fresh,
    ...called,
    state: 'unknown',
    reason: 'timeout',
    attempts: 2,
    doubts: [1],
    open_attempt: 2,
    waits_since: null,
  },
  needs_person: { ...fresh, ...called, state: 'needs_person', reason: 'timeout', doubts: [1], waits_since: null },
  credited: { ...fresh, ...called, state: 'credited', resolved_by: 'answer', waits_since: null },
  'credited by a match': {
    ...fresh,
    ...called,
    state: 'credited',
    resolved_by: 'match',
    doubts: [1],
    waits_since: null,
  },
  'credited, call open': { ...fresh, ...called, state: 'credited', resolved_by: 'reference', open_attempt: 1 },
  rejected: {
    ...fresh,
    ...called,
    state: 'rejected',
    reason: 'operator_400',
    resolved_by: 'answer',
    waits_since: null,
  },
} as const satisfies Record<string, Intent>;
type Position = keyof typeof positions;

const answer = (call: CallOutcome, attempt_no = 1): IntentEvent => ({ type: 'answered', attempt_no, call });
const late = (call: CallOutcome, attempt_no = 1): IntentEvent => ({ type: 'late_answer', attempt_no, call });
const credited: CallOutcome = { outcome: 'credited' };
const rejected: CallOutcome = { outcome: 'rejected', reason: 'operator_400' };
const unknown: CallOutcome = { outcome: 'unknown', reason: 'timeout' };
const retry: CallOutcome = { outcome: 'retry', reason: 'unreachable' };

/** The result as text: the new state, what is due, and the effect on the budget; '-' for nothing, or the reason of a refusal. */
function present(position: Position, event: IntentEvent, more: Partial<StepContext> = {}): string {
  const intent: Intent = positions[position];
  const of = event.type === 'answered' ? { ...event, attempt_no: intent.open_attempt ?? 1 } : event;
  const result = step(intent, of, { ...context, ...more });
  if (result.result === 'stays') return '-';
  if (result.result === 'refused') return `! ${result.why}`;
  const { to, due, reservation } = result;
  const parts = [
    to.state + (to.reason === null ? '' : ` (${to.reason})`) + (to.open_attempt === null ? '' : ', open'),
    due === null ? null : due === 'kept' ? 'kept' : `${due.for} ${due.in_ms}`,
    reservation,
  ];
  return parts.filter((part) => part !== null).join(' | ');
}

const everyPosition = Object.keys(positions) as Position[];
/** A row of the table: the event, and its result for each position. Positions that are not listed do not change. */
type Row = [name: string, event: IntentEvent, becomes: Partial<Record<Position, string>>, more?: Partial<StepContext>];

const spent = 'credited | spent';
const dayMs = unknownFor / 1_000;
const deadline = `deadline ${dayMs}`;
const nobodyKnows = { unknown: `unknown (timeout) | ${deadline}` };
const table: Row[] = [
  ['claimed', { type: 'claimed' }, { offered: 'pending | call 0' }],
  ['expired', { type: 'expired' }, { offered: 'rejected (expired) | released' }],
  [
    'cancelled',
    { type: 'cancelled' },
    {
      offered: 'rejected (cancelled) | released',
      pending: 'rejected (cancelled) | released',
      'pending, call open': '! call_under_way',
      retry: 'rejected (cancelled) | released',
      'retry, call open': '! call_under_way',
      unknown: '! may_have_credited',
      'unknown, repeat open': '! call_under_way',
      needs_person: '! may_have_credited',
      credited: '! already_credited',
      'credited by a match': '! already_credited',
      'credited, call open': '! call_under_way',
      rejected: '! already_rejected',
    },
  ],
  [
    'gate_withheld',
    { type: 'gate_withheld', reason: 'excluded' },
    { pending: 'rejected (excluded) | released', retry: 'rejected (excluded) | released', ...nobodyKnows },
  ],
  [
    'held',
    { type: 'held', reason: 'too_old', ask_again_ms: 250 },
    {
      pending: 'pending (too_old) | call 250',
      retry: 'retry (too_old) | call 250',
      unknown: 'unknown (timeout) | call 250',
    },
  ],
  [
    'held too long',
    { type: 'held', reason: 'too_old', ask_again_ms: 250 },
    {
      pending: 'rejected (too_old) | released',
      retry: 'rejected (too_old) | released',
      unknown: 'unknown (timeout) | deadline 0',
    },
    { at: noon + longestWait },
  ],
  [
    'budget_refused',
    { type: 'budget_refused', reason: 'used_up' },
    { pending: 'rejected (budget_used_up) | released', retry: 'rejected (budget_used_up) | released', ...nobodyKnows },
  ],
  [
    'protected',
    { type: 'protected', reason: 'blocked' },
    {
      offered: 'rejected (blocked) | released',
      pending: 'rejected (blocked) | released',
      retry: 'rejected (blocked) | released',
    },
  ],
  [
    'campaign_stopped',
    { type: 'campaign_stopped' },
    {
      offered: 'rejected (campaign_stopped) | released',
      pending: 'rejected (campaign_stopped) | released',
      retry: 'rejected (campaign_stopped) | released',
      ...nobodyKnows,
    },
  ],
  ['repeat_forbidden', { type: 'repeat_forbidden' }, nobodyKnows],
  [
    'attempt_began',
    { type: 'attempt_began', answer_within_ms: 25_000 },
    {
      pending: 'pending, open | answer 25000',
      retry: 'retry (unreachable), open | answer 25000',
      unknown: 'unknown (timeout), open | answer 25000',
    },
  ],
  [
    'answered: credited',
    answer(credited),
    {
      'pending, call open': spent,
      'retry, call open': spent,
      'unknown, repeat open': spent,
      'credited, call open': 'credited',
    },
  ],
  [
    'answered: rejected',
    answer(rejected),
    {
      'pending, call open': 'rejected (operator_400) | released',
      'retry, call open': 'rejected (operator_400) | released',
      'unknown, repeat open': `unknown (rejected_in_doubt) | ${deadline}`,
      'credited, call open': 'credited',
    },
  ],
  [
    'answered: unknown',
    answer(unknown),
    {
      'pending, call open': `unknown (timeout) | ${deadline}`,
      'retry, call open': `unknown (timeout) | ${deadline}`,
      'unknown, repeat open': `unknown (timeout) | ${deadline}`,
      'credited, call open': 'credited',
    },
  ],
  [
    'answered: unknown, at an operator that honors keys',
    answer(unknown),
    {
      'pending, call open': 'unknown (timeout) | call 1000',
      'retry, call open': 'unknown (timeout) | call 1000',
      'unknown, repeat open': 'unknown (timeout) | call 15000',
      'credited, call open': 'credited',
    },
    { idempotent: true },
  ],
  [
    'answered: retry',
    answer(retry),
    {
      'pending, call open': 'retry (unreachable) | call 1000',
      'retry, call open': 'retry (unreachable) | call 5000',
      'unknown, repeat open': `unknown (unreachable) | ${deadline}`,
      'credited, call open': 'credited',
    },
  ],
  [
    'answered: retry, after too long',
    answer(retry),
    {
      'pending, call open': 'rejected (unreachable) | released',
      'retry, call open': 'rejected (unreachable) | released',
      'unknown, repeat open': 'unknown (unreachable) | deadline 0',
      'credited, call open': 'credited',
    },
    { at: noon + longestWait },
  ],
  [
    'attempt_lost',
    { type: 'attempt_lost' },
    {
      'pending, call open': `unknown (lost) | ${deadline}`,
      'retry, call open': `unknown (lost) | ${deadline}`,
      'unknown, repeat open': `unknown (lost) | ${deadline}`,
      'credited, call open': 'credited',
    },
  ],
  [
    'late_answer: credited',
    late(credited),
    {
      // Only a call that has started can be answered. Nevertheless, the machine accepts an answer that reports a credit in
      // every state.
      offered: spent,
      pending: spent,
      'pending, call open': 'credited, open | kept | spent',
      retry: spent,
      'retry, call open': 'credited, open | kept | spent',
      unknown: spent,
      'unknown, repeat open': 'credited, open | kept | spent',
      needs_person: spent,
      'credited by a match': spent,
      rejected: spent,
    },
  ],
  [
    'late_answer: rejected',
    late(rejected),
    {
      unknown: 'rejected (operator_400) | released',
      'unknown, repeat open': 'unknown (timeout), open | kept',
      needs_person: 'rejected (operator_400) | released',
      'credited by a match': 'needs_person (answer_against_match)',
    },
  ],
  [
    'late_answer: retry',
    late(retry),
    {
      unknown: 'retry (unreachable) | call 1000',
      'unknown, repeat open': 'unknown (timeout), open | kept',
      needs_person: 'retry (unreachable) | call 1000',
      'credited by a match': 'needs_person (answer_against_match)',
    },
  ],
  ['late_answer: unknown', late(unknown), {}],
  [
    'event_reference',
    { type: 'event_reference' },
    {
      ...Object.fromEntries(everyPosition.map((position) => [position, spent])),
      'pending, call open': 'credited, open | kept | spent',
      'retry, call open': 'credited, open | kept | spent',
      'unknown, repeat open': 'credited, open | kept | spent',
      'credited, call open': '-',
    },
  ],
  [
    'event_matched',
    { type: 'event_matched' },
    { unknown: spent, 'unknown, repeat open': 'credited, open | kept | spent', needs_person: spent },
  ],
  [
    'match_withdrawn',
    { type: 'match_withdrawn' },
    { 'credited by a match': `unknown (match_withdrawn) | ${deadline} | reserved` },
  ],
  ...(['credited', 'give_up', 'try_again'] as const).map((verdict): Row => {
    const decided = {
      credited: spent,
      give_up: 'rejected (not_credited) | released',
      try_again: 'pending (try_again) | call 0',
    }[verdict];
    const ended = { credited: '! already_credited', rejected: '! already_rejected' };
    return [
      `person: ${verdict}`,
      { type: 'person', verdict },
      {
        offered: '! not_in_doubt',
        pending: '! not_in_doubt',
        'pending, call open': '! call_under_way',
        retry: '! not_in_doubt',
        'retry, call open': '! call_under_way',
        unknown: decided,
        'unknown, repeat open': '! call_under_way',
        needs_person: decided,
        credited: verdict === 'credited' ? '-' : ended.credited,
        'credited by a match': verdict === 'credited' ? '-' : ended.credited,
        'credited, call open': '! call_under_way',
        rejected: verdict === 'give_up' ? '-' : ended.rejected,
      },
    ];
  }),
  ['unknown_deadline', { type: 'unknown_deadline' }, { unknown: 'needs_person (timeout)' }],
];

describe('state x event', () => {
  test.each(table)('%s', (_name, event, becomes, more) => {
    const expected = Object.fromEntries(everyPosition.map((position) => [position, becomes[position] ?? '-']));
    const actual = Object.fromEntries(everyPosition.map((position) => [position, present(position, event, more)]));
    expect(actual).toEqual(expected);
  });

  test('the table has every state and every event', () => {
    const states = new Set(Object.values(positions).map(({ state }) => state));
    expect([...states].sort()).toEqual([...intentStates].sort());
    const events: Record<IntentEventType, true> = {
      claimed: true,
      expired: true,
      cancelled: true,
      gate_withheld: true,
      held: true,
      budget_refused: true,
      protected: true,
      campaign_stopped: true,
      repeat_forbidden: true,
      attempt_began: true,
      answered: true,
      attempt_lost: true,
      late_answer: true,
      event_reference: true,
      event_matched: true,
      match_withdrawn: true,
      person: true,
      unknown_deadline: true,
    };
    expect(new Set(table.map(([, { type }]) => type))).toEqual(new Set(Object.keys(events)));
  });
});

describe('offers', () => {
  const offer: Intent = { ...positions.offered, expires_at: noon + hour };
  const claim = (at: Micros) => step(offer, { type: 'claimed' }, { ...context, at });

  test('become due when they expire', () => {
    const made = beginning({ offered: true, expires_at: noon + hour }, noon);
    expect(made).toMatchObject({ to: { state: 'offered' }, due: { for: 'expiry', in_ms: hour / 1_000 } });
    expect(beginning({ offered: true, expires_at: null }, noon).due).toBeNull();
  });

  test('can be claimed until they expire, and a claim in time stays valid', () => {
    expect(claim(noon + hour - 1)).toMatchObject({ to: { state: 'pending' } });
    expect(claim(noon + hour)).toMatchObject({ to: { state: 'rejected', reason: 'expired' } });
    const claimed: Intent = { ...fresh, claimed_at: noon, expires_at: noon + hour };
    expect(step(claimed, { type: 'expired' }, { ...context, at: noon + 2 * hour })).toEqual({ result: 'stays' });
  });

  test('an intent that was never an offer expires while it waits, unless a person retries it', () => {
    const waiting: Intent = { ...fresh, expires_at: noon + hour };
    const expired = (intent: Intent) => step(intent, { type: 'expired' }, { ...context, at: noon + 2 * hour });
    expect(expired(waiting)).toMatchObject({ to: { state: 'rejected', reason: 'expired' } });
    expect(expired({ ...waiting, attempts: 1, waits_since: noon + 2 * hour })).toEqual({ result: 'stays' });
  });

  test('an intent that is requested too late is overdue from the start', () => {
    const late: Intent = {
      ...beginning({ offered: false, expires_at: noon - hour }, noon).to,
      expires_at: noon - hour,
    };
    expect(isOverdue(late, noon)).toBe(true);
    expect(step(late, { type: 'expired' }, context)).toMatchObject({ to: { state: 'rejected', reason: 'expired' } });
  });
});

describe('doubts', () => {
  test('a late answer settles only its own call, and never one that a person has decided about', () => {
    const two: Intent = { ...positions.unknown, attempts: 2, doubts: [1, 2] };
    expect(step(two, late(rejected, 1), context)).toMatchObject({ to: { state: 'unknown', doubts: [2] }, due: 'kept' });
    const decidedAbout: Intent = { ...positions.unknown, attempts: 2, doubts: [2] };
    expect(step(decidedAbout, late(rejected, 1), context)).toEqual({ result: 'stays' });
  });

  test('repeats end after the last delay of their ladder, and the deadline counts from the last call', () => {
    let intent: Intent = { ...fresh };
    let at = noon;
    const waits: string[] = [];
    for (;;) {
      const begun = step(intent, { type: 'attempt_began', answer_within_ms: 1 }, { ...context, at });
      if (begun.result !== 'moved') throw new Error('it must begin');
      intent = { ...begun.to, expires_at: null };
      const result = step(intent, answer(unknown, intent.attempts), { ...context, at, idempotent: true });
      if (result.result !== 'moved' || result.due === null || result.due === 'kept') throw new Error('it must wait');
      waits.push(`${result.due.for} ${result.due.in_ms / 1_000}`);
      intent = { ...result.to, expires_at: null };
      at += result.due.in_ms * 1_000;
      if (result.due.for === 'deadline') break;
    }
    expect(waits).toEqual(['call 1', 'call 15', 'call 120', 'call 600', 'call 3600', 'call 21600', 'deadline 86400']);
    expect(intent.doubts).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('only consecutive calls that ended in the same way lengthen the wait', () => {
    const failed = (intent: Intent, reason: Extract<CallOutcome, { outcome: 'retry' }>['reason']) => {
      const attempt = intent.attempts + 1;
      const open: Intent = { ...intent, attempts: attempt, open_attempt: attempt };
      const result = step(open, answer({ outcome: 'retry', reason }, attempt), context);
      if (result.result !== 'moved' || result.due === null || result.due === 'kept') throw new Error('it must wait');
      return { intent: { ...result.to, expires_at: null }, wait: result.due.in_ms / 1_000 };
    };
    const waits = (...reasons: Parameters<typeof failed>[1][]) => {
      let intent: Intent = { ...fresh };
      return reasons.map((reason) => {
        const after = failed(intent, reason);
        intent = after.intent;
        return after.wait;
      });
    };
    // The database was unavailable for a moment. The first 401 after it waits 30 s, not 5 min.
    expect(waits('not_sent', 'not_sent', 'not_sent', 'unauthorized')).toEqual([0, 1, 5, 30]);
    expect(waits('unauthorized', 'rate_limited', 'unauthorized')).toEqual([30, 1, 30]);
    expect(waits('unauthorized', 'unauthorized', 'unauthorized')).toEqual([30, 60, 300]);
    // Failures of the network and of the operator's servers count as one kind, so an endpoint that alternates between them is not called
    // more often.
    expect(waits('unreachable', 'connect_timeout', 'rate_limited', 'server_error')).toEqual([1, 5, 15, 60]);
    // A hold ends a sequence, because the gate's reason replaces that of the calls.
    const { intent } = failed(failed({ ...fresh }, 'unauthorized').intent, 'unauthorized');
    const held = step(intent, { type: 'held', reason: 'too_old', ask_again_ms: 250 }, context);
    expect(held.result === 'moved' && failed({ ...held.to, expires_at: null }, 'unauthorized').wait).toBe(30);
  });

  test('Retry-After is respected', () => {
    const open = positions['pending, call open'];
    const busy: CallOutcome = { outcome: 'retry', reason: 'rate_limited', retry_after_ms: 90_000 };
    expect(step(open, answer(busy), context)).toMatchObject({ due: { for: 'call', in_ms: 90_000 } });
  });
});
