import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noon, testClock } from '../../../testing/clock.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { transaction } from '../../database/index.ts';
import { type Applied, applyIntentEvent } from './apply.ts';
import { createIntents } from './create.ts';
import type { BonusIntent } from './intent.ts';
import { selectIntent } from './intent-store.ts';
import { type CallOutcome, type IntentEvent, unknownFor } from './machine.ts';

/*
 * Runs random sequences of commands on real tables, and compares the result with a small model of the operator's records. The model knows
 * which calls credited, which the platform cannot know. The platform only receives what an operator would send: an answer, which may be
 * lost, or an event. After each command:
 *
 *   - the records hold at most one credit (of an operator that honors keys: under the one key)
 *   - if the intent is credited, the records hold the credit; if it is rejected, they do not
 *   - a call begins only if no other is open, and never while one may have credited
 *
 * People in the model look at the records, as they should, so their verdicts are correct.
 */
const { pool } = await setupDatabase();
const brandId = 1;

interface Call {
  attempt_no: number;
  /** True if the call credited, or if an operator that honors keys credited with an earlier call. */
  credits: boolean;
}
interface Model {
  credits: number;
  open: Call | null;
  /** Lost calls whose answer may still come. */
  late: Call[];
  began: number;
}
interface Real {
  intent_id: string;
  idempotent: boolean;
  clock: ReturnType<typeof testClock>;
}

async function happen(real: Real, event: IntentEvent): Promise<Applied> {
  const context = { at: real.clock.now(), idempotent: real.idempotent, random: 0.5, actor: 'the model' };
  return transaction(pool, (tx) => applyIntentEvent(tx, real.intent_id, event, context));
}

async function check(model: Model, real: Real): Promise<BonusIntent> {
  const intent = await selectIntent(pool, real.intent_id);
  if (intent === null) throw new Error('the intent is gone');
  expect(model.credits).toBeLessThanOrEqual(1);
  if (intent.state === 'credited') expect(model.credits).toBe(1);
  if (intent.state === 'rejected') expect(model.credits).toBe(0);
  if (intent.state === 'pending' || intent.state === 'retry') {
    expect(model.credits).toBe(model.open?.credits ? 1 : 0);
    expect(intent.doubts).toEqual([]);
  }
  expect(intent.open_attempt).toBe(model.open?.attempt_no ?? null);
  expect(intent.attempts).toBe(model.began);
  expect(intent.due_at === null).toBe(isAtRest(intent));
  return intent;
}

/** True if nothing more happens automatically. */
function isAtRest({ state, open_attempt }: BonusIntent): boolean {
  return open_attempt === null && (state === 'credited' || state === 'rejected' || state === 'needs_person');
}

type Command = fc.AsyncCommand<Model, Real>;
const command = (
  name: string,
  possible: (model: Model) => boolean,
  run: (m: Model, r: Real) => Promise<void>,
): Command => ({
  check: possible,
  async run(model, real) {
    await run(model, real);
    await check(model, real);
  },
  toString: () => name,
});
const always = () => true;

/** The operator gets the call and credits or not; with a key that it honors, only once. */
const begin = (credits: boolean) =>
  command(
    `begin${credits ? ', it credits' : ''}`,
    ({ open }) => open === null,
    async (model, real) => {
      const applied = await happen(real, { type: 'attempt_began', answer_within_ms: 1_000 });
      if (applied?.step.result !== 'moved') return;
      if (applied.before.state === 'unknown') expect(real.idempotent).toBe(true);
      model.began++;
      const isRepeat = real.idempotent && model.credits === 1;
      if (credits && !isRepeat) model.credits++;
      // Without `credits` the operator refuses this call, even if it has credited an earlier one, because it checks the player before the
      // key.
      model.open = { attempt_no: model.began, credits };
    },
  );

/** The answer of an honest operator, or an answer without information. */
const answerOf = (call: Call, says: 'truth' | 'nothing', no: 'rejected' | 'retry'): CallOutcome => {
  if (says === 'nothing') return { outcome: 'unknown', reason: 'timeout' };
  if (call.credits) return { outcome: 'credited' };
  return no === 'rejected'
    ? { outcome: 'rejected', reason: 'operator_400' }
    : { outcome: 'retry', reason: 'unreachable' };
};

const answer = (says: 'truth' | 'nothing', no: 'rejected' | 'retry') =>
  command(
    `answer ${says} (${no})`,
    ({ open }) => open !== null,
    async (model, real) => {
      if (model.open === null) return;
      const { attempt_no } = model.open;
      await happen(real, { type: 'answered', attempt_no, call: answerOf(model.open, says, no) });
      model.open = null;
    },
  );

const crash = command(
  'crash',
  ({ open }) => open !== null,
  async (model, real) => {
    if (model.open === null) return;
    await happen(real, { type: 'attempt_lost' });
    model.late.push(model.open);
    model.open = null;
  },
);

const lateAnswer = (no: 'rejected' | 'retry') =>
  command(
    `late answer (${no})`,
    ({ late }) => late.length > 0,
    async (model, real) => {
      const call = model.late.shift();
      if (call === undefined) return;
      await happen(real, { type: 'late_answer', attempt_no: call.attempt_no, call: answerOf(call, 'truth', no) });
    },
  );

const event = (type: 'event_reference' | 'event_matched') =>
  command(
    type,
    ({ credits }) => credits === 1,
    async (_model, real) => void (await happen(real, { type })),
  );

/** A person who looks at the records. No call may be open; otherwise the machine refuses. */
const person = (again: boolean) =>
  command(`person${again ? ', try again' : ''}`, always, async (model, real) => {
    const verdict = model.credits === 1 ? 'credited' : again ? 'try_again' : 'give_up';
    await happen(real, { type: 'person', verdict });
  });

const withoutCall = (told: IntentEvent) =>
  command(told.type, always, async (_model, real) => void (await happen(real, told)));

const dayPasses = command('24 hours pass', always, async (_model, real) => {
  real.clock.advance(unknownFor);
  await happen(real, { type: 'unknown_deadline' });
});

/** Repeats begin only if the runner would begin them: not while unknown at an operator that does not honor keys. */
const guardedBegin = (credits: boolean): Command => {
  const inner = begin(credits);
  return {
    check: (model) => inner.check(model),
    async run(model, real) {
      const { state } = await check(model, real);
      if (state === 'unknown' && !real.idempotent) await happen(real, { type: 'repeat_forbidden' });
      else await inner.run(model, real);
    },
    toString: () => inner.toString(),
  };
};

/** Calls and their outcomes are frequent, because commands that end an intent without a call leave little to test. */
const often = 5;
const calls = [
  ...[true, false].map((credits) => fc.constant(guardedBegin(credits))),
  ...(['rejected', 'retry'] as const).flatMap((no) => [
    fc.constant(answer('truth', no)),
    fc.constant(answer('nothing', no)),
  ]),
];
const commands = [
  ...Array.from({ length: often }, () => calls).flat(),
  ...(['rejected', 'retry'] as const).map((no) => fc.constant(lateAnswer(no))),
  ...[crash, dayPasses, event('event_reference'), event('event_matched'), person(true), person(false)].map((one) =>
    fc.constant(one),
  ),
  ...(
    [
      { type: 'claimed' },
      { type: 'cancelled' },
      { type: 'gate_withheld', reason: 'excluded' },
      { type: 'held', reason: 'too_old', ask_again_ms: 250 },
      { type: 'budget_refused', reason: 'used_up' },
      { type: 'protected', reason: 'blocked' },
      { type: 'campaign_stopped' },
      { type: 'expired' },
    ] satisfies IntentEvent[]
  ).map((told) => fc.constant(withoutCall(told))),
];

test('money moves at most once, in every order of events', async () => {
  let player = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.commands(commands, { maxCommands: 30, size: 'max' }),
      fc.record({ idempotent: fc.boolean(), offer: fc.boolean() }),
      async (lives, { idempotent, offer }) => {
        const clock = testClock(noon);
        const wanted = { brand_id: brandId, player_id: ++player, bonus_code: 'FIVE', offer, created_by: 'the model' };
        // An offer gets an expiry, so that it always has a due time.
        const expires_at = offer ? noon + 30 * unknownFor : null;
        const [made] = await transaction(pool, (tx) => createIntents(tx, [{ ...wanted, expires_at }], clock.now()));
        const real: Real = { intent_id: made?.intent_id ?? '', idempotent, clock };
        const model: Model = { credits: 0, open: null, late: [], began: 0 };
        await fc.asyncModelRun(() => ({ model, real }), lives);
      },
    ),
    { numRuns: 100 },
  );
});
