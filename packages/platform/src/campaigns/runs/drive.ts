import {
  advance,
  afterTags,
  type Context,
  contactOf,
  dueOf,
  type Effect,
  type Input,
  type Move,
  type Verdict,
} from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { messageLife, type OrderDeps, type SiteSignal } from '../../channels/index.ts';
import { halvesOf } from '../../chores/index.ts';
import {
  awaitAll,
  isAbortedForAnother,
  isDatabaseAway,
  messageOf,
  refusedValue,
  storableDetail,
  unprocessableReason,
  unprocessableWords,
} from '../../database/index.ts';
import { type ContactRequest, type Decision, forgetContacts, type Gate } from '../../gate/index.ts';
import type { Phase, RunnableVersion, Versions } from '../documents/active-store.ts';
import { type AskedEffect, rulesOfContact } from './contact.ts';
import { type EffectOf, type Ordered, type Performed, perform, performTogether } from './effects.ts';
import type { Spoiled } from './spoiled.ts';
import type { MovedRun, RunPlayer, RunRow, StepRecordRow } from './store.ts';

/** A run with everything needed to move it. */
export interface RunAtHand {
  row: RunRow;
  version: RunnableVersion;
  brand: Brand;
  player: RunPlayer;
  context: Context;
  phase: Phase;
}

export interface DriveDeps extends OrderDeps {
  gate: Pick<Gate, 'mayContact'>;
  versions: Pick<Versions, 'load'>;
}

export interface Driven {
  moved: MovedRun[];
  records: StepRecordRow[];
  signals: SiteSignal[];
  /** Runs that failed because of their data. */
  spoiled: Spoiled[];
}

/** Maximum number of steps of a run that ask the gate after one input. A run with more steps continues in the next round. */
const mostWaves = 50;

/**
 * Maximum number of groups of effects per round that are divided because PostgreSQL refused a value: 9 for one value among 500 effects. If
 * it refuses many values, a further search would be slower than ordering the other effects one by one.
 */
const mostRefused = 32;

/** One input of a run. */
interface Step {
  hand: RunAtHand;
  run: Move['run'];
  input: Input;
  /** For a verdict: the decision that allowed the effect. */
  allowed_by?: number | undefined;
}

interface Underway {
  hand: RunAtHand;
  move: Move;
  /** True if the input changed nothing, so that nothing has to be written. */
  isUnchanged: boolean;
}

/**
 * Applies one input to each run, and moves each run until it waits or ends. The gate decides about held runs in waves: one
 * call decides for all runs, the allowed effects are ordered, and the runs continue to their next effect. If an effect
 * cannot be ordered, only its own run fails.
 */
export async function drive(
  tx: PoolClient,
  deps: DriveDeps,
  inputs: readonly { hand: RunAtHand; input: Input }[],
  at: Micros,
): Promise<Driven> {
  const driven: Driven = { moved: [], records: [], signals: [], spoiled: [] };
  const first = inputs.map(({ hand, input }): Step => ({ hand, run: runOf(hand.row), input }));
  let underway = await stepAll(tx, deps, first, at, driven);
  for (let wave = 0; ; wave++) {
    const asking = underway.filter(({ move }) => move.heldEffect !== null);
    for (const one of underway)
      if (!one.isUnchanged && (one.move.heldEffect === null || wave === mostWaves))
        driven.moved.push(movedRun(one, at));
    if (asking.length === 0 || wave === mostWaves) {
      await forgetContacts(tx, givenUp(inputs, driven.moved));
      return driven;
    }
    const answers = await ask(tx, deps, asking, driven.moved);
    const next = asking.map(({ hand, move }, place): Step => {
      const step = (move.heldEffect as Effect).step;
      const { verdict, allowed_by } = answers[place] as Answer;
      return { hand, run: move.run, input: { kind: 'verdict', step, verdict }, allowed_by };
    });
    underway = await stepAll(tx, deps, next, at, driven);
  }
}

/**
 * The contacts at which runs were held, and which they gave up without a decision: they ended, or they moved to another version. Contacts that
 * the gate decided meanwhile have no hold any more, so it does not matter if they are among them.
 */
function givenUp(inputs: readonly { hand: RunAtHand }[], moved: readonly MovedRun[]): ContactRequest['cause'][] {
  const after = new Map(moved.map((run) => [run.run_id, run]));
  return inputs.flatMap(({ hand: { row } }) => {
    const next = after.get(row.run_id);
    if (row.state !== 'held' || next === undefined) return [];
    const isStillHeld = next.state === 'held' && next.position.step === row.position.step;
    return isStillHeld ? [] : [causeOfStep(row.run_id, row.position.step)];
  });
}

/** The cause by which the gate knows the contact of a step of a run. */
function causeOfStep(runId: number, step: string | null): ContactRequest['cause'] {
  return { kind: 'run', id: `${runId}/${step}` };
}

function runOf({ state, reason, goal_until, position }: RunRow): Move['run'] {
  return { state, reason, goalUntil: goal_until, ...position };
}

/** A run after one input, before its effects are ordered. */
interface Stepped {
  hand: RunAtHand;
  before: Move['run'];
  input: Input;
  allowed_by: number | undefined;
  move: Move;
  records: StepRecordRow[];
  /** Why the run cannot continue; null if it can. */
  failure: { error: unknown; reason: string } | null;
}

/**
 * Applies one input to each run, and orders the effects. The first effect of each run is ordered together with those of the
 * other runs, and all others one by one.
 */
async function stepAll(
  tx: PoolClient,
  deps: DriveDeps,
  inputs: readonly Step[],
  at: Micros,
  driven: Driven,
): Promise<Underway[]> {
  const all = inputs.map((input) => step(input, at));
  const made = await orderTogether(tx, deps, all, at);
  const underway: Underway[] = [];
  for (const stepped of all) underway.push(await orderRest(tx, deps, stepped, made, at, driven));
  return underway;
}

function headOf({ row }: RunAtHand) {
  const { player_id, run_id, campaign_id, version_id } = row;
  return { player_id, run_id, campaign_id, version_id };
}

function step({ hand, run: before, input, allowed_by }: Step, at: Micros): Stepped {
  const head = headOf(hand);
  try {
    const move = advance(before, input, hand.context);
    hand.context = { ...hand.context, player: afterTags(hand.context.player, move.effects) };
    const records = move.records.map((one) => ({ ...head, ...one, variant: one.variant ?? null, effect: null }));
    return { hand, before, input, allowed_by, move, records, failure: null };
  } catch (error) {
    const reason = unprocessableReason(error);
    const failed = { step: before.step ?? '', state: 'failed', at, reason, variant: null, effect: null };
    const move = { run: before, effects: [], records: [], heldEffect: null };
    return { hand, before, input, allowed_by, move, records: [{ ...head, ...failed }], failure: { error, reason } };
  }
}

/**
 * Orders the first effects of all runs together. Ordering each effect separately would need a dozen statements, as many as
 * the rest of a round. Effects that are not ordered here are ordered one by one.
 *
 * If PostgreSQL refuses a value of one effect, the effects of its step are divided into halves until it is found: one value among
 * 500 effects costs 18 further attempts. Without this, the 499 others would be ordered one by one, and all events that wait for this
 * round would be late.
 */
async function orderTogether(
  tx: PoolClient,
  deps: DriveDeps,
  all: readonly Stepped[],
  at: Micros,
): Promise<Map<Effect, Performed>> {
  const made = new Map<Effect, Performed>();
  const first = all.flatMap((stepped): Ordered[] => {
    const [effect] = stepped.move.effects;
    return effect === undefined ? [] : [orderedBy(stepped, effect)];
  });
  if (first.length < 2) return made;
  const whole = await tryToOrder(tx, deps, first, at, made);
  if (whole === 'ordered') return made;
  let left = mostRefused;
  const divide = async (some: readonly Ordered[]): Promise<void> => {
    if (some.length < 2) return;
    for (const half of halvesOf(some)) {
      if (left === 0) return;
      if ((await tryToOrder(tx, deps, half, at, made)) !== 'refused') continue;
      left--;
      await divide(half);
    }
  };
  // An error in a step, such as a missing template, must affect only the effects of this step.
  const steps = Map.groupBy(first, ({ effect, of }) => `${of.version.version_id} ${effect.step}`);
  for (const ofStep of steps.values()) {
    const outcome = steps.size === 1 ? whole : await tryToOrder(tx, deps, ofStep, at, made);
    if (outcome === 'refused') await divide(ofStep);
  }
  return made;
}

/**
 * Orders effects together.
 *
 * @returns `refused` if PostgreSQL refused a value of one of them, and `failed` after another error; then none of them was ordered
 */
async function tryToOrder(
  tx: PoolClient,
  deps: DriveDeps,
  effects: readonly Ordered[],
  at: Micros,
  made: Map<Effect, Performed>,
): Promise<'ordered' | 'refused' | 'failed'> {
  try {
    for (const [effect, performed] of await inSavepoint(tx, () => performTogether(tx, deps, effects, at)))
      made.set(effect, performed);
    return 'ordered';
  } catch (error) {
    if (isTemporary(error)) throw error;
    return refusedValue(error) === undefined ? 'failed' : 'refused';
  }
}

/** The decision allowed only the effect of the step that was held. */
function orderedBy({ hand, input, allowed_by }: Stepped, effect: Effect): Ordered {
  const isAllowed = input.kind === 'verdict' && input.step === effect.step;
  return { effect, of: effectOf(hand), allowed_by: isAllowed ? allowed_by : undefined };
}

function effectOf({ brand, player: { user_id }, row: run, version }: RunAtHand): EffectOf {
  return { brand, user_id, run, version };
}

async function orderRest(
  tx: PoolClient,
  deps: DriveDeps,
  stepped: Stepped,
  made: ReadonlyMap<Effect, Performed>,
  at: Micros,
  driven: Driven,
): Promise<Underway> {
  const { hand, before, input, move, records, failure } = stepped;
  try {
    if (failure !== null) throw failure.error;
    for (const effect of move.effects) {
      const own = records.findLast((one) => one.step === effect.step);
      await fail(own, async () => {
        const performed =
          made.get(effect) ?? (await inSavepoint(tx, () => perform(tx, deps, orderedBy(stepped, effect), at)));
        driven.signals.push(...performed.signals);
        if (own === undefined) return;
        Object.assign(own, { effect: performed.effect });
        if (performed.withheld !== null) Object.assign(own, { state: 'withheld', reason: performed.withheld });
      });
    }
    driven.records.push(...records);
    // After any other input, the run is written even if it did not change, so that its due time is stored again.
    const isUnchanged = (input.kind === 'event' || input.kind === 'changed') && move.run === before;
    return { hand, move, isUnchanged };
  } catch (error) {
    if (isTemporary(error)) throw error;
    const reason = failure?.reason ?? reasonOf(error);
    if (reason.startsWith(unprocessableWords)) driven.spoiled.push({ ...headOf(hand), error });
    // The history of the run ends at the failure, because later steps did not happen.
    driven.records.push(...records.slice(0, records.findLastIndex(({ state }) => state === 'failed') + 1));
    const ended = { step: null, wait: null, goalUntil: null };
    const failed = { ...before, ...ended, state: 'failed' as const, reason };
    return { hand, move: { run: failed, effects: [], records: [], heldEffect: null }, isUnchanged: false };
  }
}

/** Runs `work`; if it fails, the failure is stored with the step whose effect could not be ordered. */
async function fail(own: StepRecordRow | undefined, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (own !== undefined) Object.assign(own, { state: 'failed', reason: reasonOf(error) });
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return refusedValue(error) ?? storableDetail(messageOf(error));
}

/** The same effect may succeed in the next round, so its run does not fail. */
function isTemporary(error: unknown): boolean {
  return isDatabaseAway(error) || isAbortedForAnother(error);
}

/** Runs `work`. If it fails, the transaction continues as if it had not been called. */
async function inSavepoint<T>(tx: PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    // Sent together with the first statements of `work`.
    const [, result] = await awaitAll([tx.query('savepoint effect'), work()]);
    // Not awaited, so that it is sent together with the next statements of the transaction. If it fails, they fail, too.
    tx.query('release savepoint effect').catch(() => {});
    return result;
  } catch (error) {
    await tx.query('rollback to savepoint effect');
    throw error;
  }
}

interface Answer {
  verdict: Verdict;
  /** The decision that allows the effect. */
  allowed_by: number | undefined;
}

/**
 * Decides about each run that is held at an effect: first by the gate, and, if the gate allows the effect, by the rules of
 * contact. The answers are in the order of the runs.
 *
 * @param moved runs of this round that have stopped moving
 */
async function ask(
  tx: PoolClient,
  deps: DriveDeps,
  asking: readonly Underway[],
  moved: readonly MovedRun[],
): Promise<Answer[]> {
  const open = asking.filter(({ hand }) => hand.phase === 'live');
  const asked = open.map(({ hand, move }): AskedEffect => ({ hand, effect: move.heldEffect as Effect }));
  const rules = await rulesOfContact(tx, deps.versions, asked, moved);
  const decisions = await deps.gate.mayContact(
    tx,
    asked.map(({ hand: { row, brand }, effect }) => {
      const { channel, purpose } = contactOf(effect);
      const cause = causeOfStep(row.run_id, effect.step);
      return {
        brand_id: brand.brand_id,
        player_id: row.player_id,
        channel,
        purpose,
        cause,
        expires_at: null,
        mostHeld: messageLife,
      };
    }),
    rules,
  );
  const decisionOf = new Map(open.map((one, place) => [one, decisions[place]]));
  return asking.map((one): Answer => {
    const decision = decisionOf.get(one);
    const allowed_by = decision?.outcome === 'allowed' ? decision.decision_id : undefined;
    return { verdict: verdictOf(one.hand, decision), allowed_by };
  });
}

/** @param decision undefined if the campaign is not live, so that the gate was not asked */
function verdictOf({ phase, context }: RunAtHand, decision: Decision | undefined): Verdict {
  if (decision === undefined) return { outcome: 'hold', reason: phase, until: null, for: 'gate' };
  if (decision.outcome !== 'held') return decision;
  const { reason, ask_again_ms } = decision;
  // The gate reads its clock a moment later than the round, so `ask_again_ms` alone would end quiet hours too early.
  const until = decision.until ?? context.at + ask_again_ms * 1_000;
  return { outcome: 'hold', reason, until, for: reason === 'quiet_hours' ? reason : 'gate' };
}

function movedRun({ hand, move: { run, heldEffect } }: Underway, at: Micros): MovedRun {
  const { state, reason, goalUntil: goal_until, ...position } = run;
  const { run_id, player_id, version_id } = hand.row;
  // Runs that are still held after the last wave wait for the next round.
  const due_at = heldEffect !== null ? at : dueOf(run);
  return { run_id, player_id, version_id, state, reason, position, due_at, goal_until, moved_at: at };
}
