import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noon } from '../../../testing/clock.ts';
import { setupStage } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { transaction } from '../../database/index.ts';
import { bucketOf, playerHash } from '../../ledger/index.ts';
import { applyIntentEvent } from '../intents/apply.ts';
import { createIntents } from '../intents/create.ts';
import { selectIntent } from '../intents/intent-store.ts';
import type { CallOutcome, IntentEvent } from '../intents/machine.ts';
import { type AssignedIntent, assign, type Grant } from './assign.ts';
import { readGrantsOfIntent, readResolutionBacklog } from './listing.ts';
import { lookBack } from './request-store.ts';
import { ResolutionConsumer } from './resolution-consumer.ts';
import { Resolver } from './resolver.ts';

let wakes = 0;
const stage = await setupStage({ consumers: [new ResolutionConsumer({ wake: () => wakes++ })] });
const { pool, clock, brand } = stage;
const resolver = new Resolver({ pool, clock: clock.now, log: testLog });
const { brand_id } = brand;
const minute = 60_000_000;

let players = 0;
/** A player without events. */
async function addPlayer() {
  const user_id = `p${++players}`;
  await pool.query('insert into player (brand_id, user_id, bucket) values ($1, $2, $3)', [
    brand_id,
    user_id,
    bucketOf(playerHash(brand_id, user_id)),
  ]);
  return { user_id, player_id: await stage.playerId(user_id) };
}

async function apply(intentId: string, event: IntentEvent, at: number) {
  await transaction(pool, async (tx) => {
    const applied = await applyIntentEvent(tx, intentId, event, { at });
    if (applied?.step.result === 'moved' && event.type === 'answered') await lookBack(tx, [applied.before]);
  });
}

/** An intent whose only call began at `at`. */
async function begin(player_id: number, at: number, fields: { bonus_code?: string; activity_id?: string } = {}) {
  const intent = { brand_id, player_id, bonus_code: 'FIVE', created_by: 'a test', ...fields };
  const [made] = await transaction(pool, (tx) => createIntents(tx, [intent], at));
  const intent_id = made?.intent_id ?? '';
  await apply(intent_id, { type: 'attempt_began', answer_within_ms: 10_000 }, at);
  return intent_id;
}

const answer = (intentId: string, call: CallOutcome, at = noon) =>
  apply(intentId, { type: 'answered', attempt_no: 1, call }, at);
const unknown: CallOutcome = { outcome: 'unknown', reason: 'timeout' };

function bonus(user_id: string, user_bonus_id: string, at: number, fields: Record<string, unknown> = {}) {
  return {
    kind: 'bonus' as const,
    body: {
      user_id,
      user_bonus_id,
      bonus_id: 'b',
      bonus_code: 'FIVE',
      product: 'Casino',
      type: 'WelcomeBonus',
      amount: 5,
      currency: 'EUR',
      exchange_rate: 1,
      origin: 'x',
      status: 'Created',
      timestamp: new Date(at / 1_000).toISOString(),
      ...fields,
    },
  };
}

async function resolve() {
  const counts = await resolver.runOnce();
  expect(counts.failed).toBe(0);
  return counts.moved;
}

async function outcomeOf(intentId: string): Promise<string> {
  const intent = await selectIntent(pool, intentId);
  return [intent?.state, intent?.resolved_by].filter((word) => word !== null).join(' ');
}

test('an unknown intent is credited by the bonus that fits, whether it arrives before or after the call is given up', async () => {
  const { user_id, player_id } = await addPlayer();
  const early = await begin(player_id, noon);
  await stage.publish(bonus(user_id, 'early', noon + minute));
  await stage.derive();
  expect(await resolve()).toBe(0);
  expect(await outcomeOf(early)).toBe('pending');
  await answer(early, unknown);
  expect(await resolve()).toBe(1);
  expect(await outcomeOf(early)).toBe('credited match');

  const late = await begin(player_id, noon + 3 * minute);
  await answer(late, unknown);
  expect(await resolve()).toBe(0);
  await stage.publish(bonus(user_id, 'late', noon + 4 * minute));
  wakes = 0;
  await stage.derive();
  expect(wakes).toBe(1);
  expect(await resolve()).toBe(1);
  expect(await outcomeOf(late)).toBe('credited match');
  expect(await readGrantsOfIntent(pool, late)).toMatchObject([{ user_bonus_id: 'late', how: 'match' }]);
});

test('a reference overrides a rejection and an earlier match, which is withdrawn', async () => {
  const { user_id, player_id } = await addPlayer();
  const [a, b] = [await begin(player_id, noon), await begin(player_id, noon + minute)];
  await answer(a, unknown);
  await answer(b, { outcome: 'rejected', reason: 'status_400' });
  await stage.publish(bonus(user_id, '1', noon + 2 * minute));
  await stage.derive();
  await resolve();
  expect([await outcomeOf(a), await outcomeOf(b)]).toEqual(['credited match', 'rejected answer']);

  // The operator sends the reference only with a later status.
  const named = { status: 'Ongoing', crm_references: { id: b.toUpperCase() } };
  await stage.publish(bonus(user_id, '1', noon + 9 * minute, named));
  await stage.derive();
  expect(await resolve()).toBe(2);
  expect([await outcomeOf(a), await outcomeOf(b)]).toEqual(['unknown', 'credited reference']);
  expect(await readGrantsOfIntent(pool, b)).toMatchObject([{ user_bonus_id: '1', how: 'reference' }]);
});

test('a bonus that existed before the call proves nothing, even if that becomes known later', async () => {
  const { user_id, player_id } = await addPlayer();
  const intent = await begin(player_id, noon);
  await answer(intent, unknown);
  await stage.publish(bonus(user_id, '1', noon + minute, { status: 'Ongoing' }));
  await stage.derive();
  await resolve();
  expect(await outcomeOf(intent)).toBe('credited match');
  await stage.publish(bonus(user_id, '1', noon - 60 * minute));
  await stage.derive();
  await resolve();
  expect(await outcomeOf(intent)).toBe('unknown');
  expect(await readGrantsOfIntent(pool, intent)).toEqual([]);
});

test('the bonus of a call that was answered 200 does not prove another intent', async () => {
  const { user_id, player_id } = await addPlayer();
  const [doubtful, plain] = [await begin(player_id, noon), await begin(player_id, noon + minute)];
  await answer(doubtful, unknown);
  await stage.publish(bonus(user_id, '1', noon + 2 * minute));
  await stage.derive();
  await resolve();
  // The bonus proves nothing while the other call is open, because that call may have caused it.
  expect(await outcomeOf(doubtful)).toBe('unknown');
  await answer(plain, { outcome: 'credited' });
  await resolve();
  expect(await outcomeOf(doubtful)).toBe('unknown');
  await stage.publish(bonus(user_id, '2', noon + 3 * minute));
  await stage.derive();
  await resolve();
  expect(await outcomeOf(doubtful)).toBe('credited match');
});

test('if a repeated call is answered 200, its intent gets the bonus that had matched an older intent, by a new assignment', async () => {
  const { user_id, player_id } = await addPlayer();
  const [older, younger] = [await begin(player_id, noon), await begin(player_id, noon + minute)];
  await answer(older, unknown);
  await answer(younger, unknown);
  await stage.publish(bonus(user_id, '1', noon + 2 * minute));
  await stage.derive();
  await resolve();
  expect([await outcomeOf(older), await outcomeOf(younger)]).toEqual(['credited match', 'unknown']);

  // The bonus belonged to the younger intent. Both are credited until the assignment, which is due as soon as the answer is
  // stored.
  await apply(younger, { type: 'attempt_began', answer_within_ms: 10_000 }, noon + 3 * minute);
  const repeated: IntentEvent = { type: 'answered', attempt_no: 2, call: { outcome: 'credited' } };
  await transaction(pool, (tx) => applyIntentEvent(tx, younger, repeated, { at: noon + 3 * minute }));
  expect([await outcomeOf(older), await outcomeOf(younger)]).toEqual(['credited match', 'credited answer']);
  expect((await readResolutionBacklog(pool, brand_id)).waiting).toBe(1);
  expect(await resolve()).toBe(1);
  expect([await outcomeOf(older), await outcomeOf(younger)]).toEqual(['unknown', 'credited answer']);
  expect(await readGrantsOfIntent(pool, younger)).toMatchObject([{ user_bonus_id: '1', how: 'explained' }]);
});

test('a player without open intents makes no request, and a bonus of another code proves nothing', async () => {
  const { user_id, player_id } = await addPlayer();
  await stage.publish(bonus(user_id, '1', noon));
  await stage.derive();
  expect((await readResolutionBacklog(pool, brand_id)).waiting).toBe(0);
  const intent = await begin(player_id, noon, { bonus_code: 'TEN' });
  await answer(intent, unknown);
  await resolve();
  await stage.publish(bonus(user_id, '1', noon));
  await stage.derive();
  expect((await readResolutionBacklog(pool, brand_id)).waiting).toBe(1);
  expect(await resolve()).toBe(0);
  expect(await outcomeOf(intent)).toBe('unknown');
});

test('a bonus without references is assigned to the intent that was answered 200, which then has a cost', async () => {
  const { user_id, player_id } = await addPlayer();
  const waiting = async () => (await readResolutionBacklog(pool, brand_id)).waiting;
  const intent = await begin(player_id, noon);
  await answer(intent, { outcome: 'credited' });
  // A bonus of another code, and one that is older than the call or much younger.
  await stage.publish(bonus(user_id, 'other', noon + minute, { bonus_code: 'TEN' }));
  await stage.publish(bonus(user_id, 'older', noon - 2 * minute));
  await stage.publish(bonus(user_id, 'younger', noon + 1_441 * minute));
  await stage.derive();
  expect(await waiting()).toBe(0);
  await stage.publish(bonus(user_id, 'own', noon + minute));
  await stage.derive();
  expect(await waiting()).toBe(1);
  await resolve();
  expect(await outcomeOf(intent)).toBe('credited answer');
  expect(await readGrantsOfIntent(pool, intent)).toMatchObject([{ user_bonus_id: 'own', how: 'explained' }]);
  // The intent has its bonus, so another one changes nothing.
  await stage.publish(bonus(user_id, 'next', noon + 2 * minute));
  await stage.derive();
  expect(await waiting()).toBe(0);
});

test('a bonus without references is taken from an intent whose open call is then refused', async () => {
  const { user_id, player_id } = await addPlayer();
  const intent = await begin(player_id, noon);
  await stage.publish(bonus(user_id, 'by hand', noon + minute));
  await stage.derive();
  await resolve();
  expect(await readGrantsOfIntent(pool, intent)).toMatchObject([{ user_bonus_id: 'by hand', how: 'explained' }]);
  await answer(intent, { outcome: 'rejected', reason: 'operator_400' });
  await resolve();
  expect(await readGrantsOfIntent(pool, intent)).toEqual([]);
});

test('two concurrent workers resolve each intent once', async () => {
  const other = new Resolver({ pool, clock: clock.now, log: testLog });
  const intents: string[] = [];
  for (let i = 0; i < 8; i++) {
    const { user_id, player_id } = await addPlayer();
    const intent = await begin(player_id, noon);
    await answer(intent, unknown);
    intents.push(intent);
    await stage.publish(bonus(user_id, '1', noon + minute));
  }
  await stage.derive();
  const counts = await Promise.all([resolver.runOnce(), other.runOnce()]);
  expect(counts.map(({ failed }) => failed)).toEqual([0, 0]);
  expect(counts.reduce((sum, { moved }) => sum + moved, 0)).toBe(8);
  for (const intent of intents) expect(await outcomeOf(intent)).toBe('credited match');
});

const outcomes = {
  credited: { outcome: 'credited' },
  unknown,
  rejected: { outcome: 'rejected', reason: 'no' },
} as const;

test('P3 for proofs: in any order of answers, events and assignments, the result is that of the pure assignment', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          first: fc.integer({ min: 0, max: 3 }),
          outcome: fc.constantFrom('credited' as const, 'unknown' as const, 'unknown' as const, 'rejected' as const),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      fc.array(
        fc.record({
          bonus: fc.integer({ min: 1, max: 3 }),
          at: fc.integer({ min: -2, max: 4 }),
          status: fc.constantFrom('Created', 'Ongoing', 'Expired'),
          told: fc.boolean(),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      // A bonus keeps its reference; an operator that takes a reference back is a separate case (resolve.ts, 5).
      fc.array(fc.constantFrom(undefined, 0, 1, 7), { minLength: 3, maxLength: 3 }),
      fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
      async (calls, events, references, order) => {
        const { user_id, player_id } = await addPlayer();
        const ids: string[] = [];
        for (const { first } of calls) ids.push(await begin(player_id, noon + first * minute));
        const steps = [
          ...calls.map(
            ({ outcome }, place) =>
              () =>
                answer(ids[place] ?? '', outcomes[outcome]),
          ),
          ...events.map(({ bonus: number, at, status, told }) => async () => {
            const reference = told ? references[number - 1] : undefined;
            const crm_references = reference === undefined ? undefined : { id: ids[reference] ?? 'somebody else' };
            await stage.publish(bonus(user_id, `${number}`, noon + at * minute, { status, crm_references }));
          }),
        ];
        const shuffled = steps.map((step, i) => ({ step, key: order[i] ?? 0 })).sort((a, b) => a.key - b.key);
        for (const [i, { step }] of shuffled.entries()) {
          await step();
          if ((order[i] ?? 0) % 2 === 0) await stage.derive();
          if ((order[i] ?? 0) % 3 === 0) await resolve();
        }
        await stage.derive();
        while ((await resolver.runOnce()).groups > 0);
        expect(await Promise.all(ids.map(outcomeOf))).toEqual(await expected(player_id, ids, calls));
      },
    ),
    { numRuns: 25 },
  );
}, 60_000);

async function expected(
  player_id: number,
  ids: readonly string[],
  calls: readonly { first: number; outcome: keyof typeof outcomes }[],
): Promise<string[]> {
  const { rows } = await pool.query<Grant>(
    `select user_bonus_id, crm_references as references, (events -> 0 ->> 'timestamp')::float8 as at,
            events -> 0 ->> 'status' as status from live.bonus where player_id = $1`,
    [player_id],
  );
  const certainties = { credited: 'credited', unknown: 'in_doubt', rejected: 'closed' } as const;
  const assigned = assign(
    calls.map(({ first, outcome }, place): AssignedIntent => {
      const at = noon + first * minute;
      return {
        intent_id: ids[place] ?? '',
        certainty: certainties[outcome],
        first_attempt_at: at,
        last_attempt_at: at,
        activity_id: null,
        action_id: null,
        action_group_id: null,
        trigger_hash: null,
      };
    }),
    rows,
  );
  return calls.map(({ outcome }, place) => {
    const own = [...assigned.values()].find(({ intent_id }) => intent_id === ids[place]);
    if (own?.how === 'reference') return 'credited reference';
    if (own?.how === 'match') return 'credited match';
    return outcome === 'unknown' ? 'unknown' : `${outcome} answer`;
  });
}
