import type { Micros } from '@croupier/contracts';
import { answerOf, type Evaluation, type Rule, readDuration, ruleHolds } from '@croupier/rules';
import { type Campaign, innerSteps, type Step, type Wait } from './document.ts';
import { matchesEvent, type RunEvent } from './events.ts';
import { goalEnd, latestGoal, openGoalEnd, reachesGoal } from './goal.ts';
import { isSameStep } from './moving.ts';
import { type Context, dueOf, type Effect, type Input, type Move, type Run, type StepRecord } from './run.ts';
import { nextMoment } from './schedule.ts';
import { armOf } from './split.ts';
import { reactions } from './state.ts';
import { afterTags } from './tagged-player.ts';

/**
 * Moves a run by one input, as far as it can go without an answer from outside. Pure: the same run, input and context give the
 * same move.
 *
 * If a run reaches an effect that needs a decision, it is held there, and `heldEffect` contains the effect. A later input brings
 * the verdict.
 */
export function advance(run: Run, input: Input, context: Context): Move {
  const mover = new RunMover(run, context);
  if (input.kind === 'due' && isEarly(run, context.at)) return mover.move;
  switch (reactions[run.state][input.kind]) {
    case 'ignore':
      break;
    case 'walk':
      if (input.kind === 'due' && isBetween(run, context.at)) mover.checkAwaitedRule();
      else if (input.kind === 'due' && mover.heldAtMissedCheck()) mover.continueAfter(run.step);
      // A wait for an event or a rule ends with a timeout; a wait for a time just ends.
      else mover.continueAfter(run.step, input.kind === 'due' && run.wait?.for !== 'time' ? 'timeout' : null);
      break;
    case 'look':
      mover.checkAwaitedRule();
      break;
    case 'match':
      if (input.kind === 'event') mover.match(input.event);
      break;
    case 'judge':
      if (input.kind === 'verdict') mover.judge(input.step, input.verdict);
      break;
    case 'exit':
      mover.end('exited', input.kind === 'protected' ? input.reason : 'stopped');
      break;
    case 'withdraw':
      if (!run.hadEffect) mover.end('exited', 'cause_withdrawn');
      break;
    case 'resume':
      mover.resume();
      break;
    case 'goal':
      if (input.kind === 'event') mover.checkGoal(input.event);
      break;
    case 'unwatch':
      mover.unwatch();
      break;
    case 'move':
      if (input.kind === 'moved') mover.moveFrom(input.from, input.version);
      break;
  }
  return mover.move;
}

/**
 * Whether the run is not due yet. The caller finds due runs before it processes other inputs. If one of these moves the run into its
 * next wait, the `due` belongs to the wait before it.
 */
function isEarly(run: Run, at: Micros): boolean {
  const due = dueOf(run);
  return due !== null && at < due;
}

/** Whether this is a check of the awaited rule before the wait ends. */
function isBetween({ wait }: Run, at: number): boolean {
  return wait?.look != null && wait.until !== null && at < wait.until;
}

/** Whether the run has passed a split, so that results compare it with the runs of the other arms. */
function isCompared({ variants }: Run): boolean {
  return Object.keys(variants).length > 0;
}

/** How far ahead to look for the next check of a rule. Each check then looks for the check after it. */
const ahead = 4 * 86_400_000_000;

/** If the gate gives one of these reasons, the player leaves all runs. */
const protections: ReadonlySet<string> = new Set(['excluded', 'blocked']);

/** Maximum number of steps in one move. Steps only go forward, so a valid document never reaches it. */
const mostSteps = 1_000;

class RunMover {
  readonly move: Move;
  #context: Context;

  constructor(run: Run, context: Context) {
    this.move = { run, effects: [], heldEffect: null, records: [] };
    this.#context = context;
  }

  /** @param watches whether the run still watches for its goal */
  end(state: Run['state'], reason: string | null, watches = state === 'done'): undefined {
    const { campaign, enteredAt, at } = this.#context;
    const ends = watches ? goalEnd(campaign, enteredAt) : null;
    const goalUntil = ends !== null && at <= ends + latestGoal ? ends : null;
    this.#set({ state, reason, step: null, wait: null, goalUntil });
  }

  /**
   * Ends the run at an exit that the campaign defines. If it has passed a split, it still watches for its goal: the control arm has no steps
   * and never exits, and its runs watch until the window ends.
   */
  exit(reason: string): undefined {
    this.end('exited', reason, isCompared(this.move.run));
  }

  /** Ends the run if the event reaches its goal, also after its last step. @returns whether the event reaches the goal */
  checkGoal(event: RunEvent): boolean {
    const { campaign, at, brandZone: zone, catalog, enteredAt, causedAt } = this.#context;
    const { run } = this.move;
    const isOver = run.state === 'done' || run.state === 'exited';
    const until = isOver ? run.goalUntil : openGoalEnd(campaign, enteredAt, isCompared(run));
    if (until === null || !reachesGoal(campaign, event, { causedAt, until }, { at, zone, catalog })) return false;
    this.end('goal_reached', null);
    return true;
  }

  unwatch(): undefined {
    this.#set({ goalUntil: null });
  }

  /** Continues after a step; null starts at the first. @param reason why the wait at the step ended */
  continueAfter(from: string | null, reason: 'timeout' | null = null): undefined {
    const { campaign } = this.#context;
    let step = from === null ? campaign.steps[0] : stepAfter(campaign, from);
    if (from !== null && this.move.run.state === 'waiting') this.#record(from, 'done', reason);
    for (let count = 0; count < mostSteps; count++) {
      if (this.#holds(campaign.exit_when)) return this.exit('exit_when');
      if (step === undefined) return this.end('done', null);
      const next = this.#enter(step);
      if (next === 'stay') return;
      step = next === 'on' ? stepAfter(campaign, step.id) : next;
    }
    this.end('failed', 'too many steps');
  }

  /**
   * Checks the awaited rule, because a check is due or because values that rules read may have changed. If the run is held, it requests
   * the decision about its effect again instead.
   */
  checkAwaitedRule(): undefined {
    const { step: id, state } = this.move.run;
    const step = id === null ? undefined : findStep(this.#context.campaign.steps, id);
    if (step === undefined) return this.end('failed', 'the version has no such step');
    if (state === 'held') {
      if (this.#holds(this.#context.campaign.exit_when)) return this.exit('exit_when');
      if (!isTag(step)) return this.#holdForDecision(step, this.move.run.reason);
      if (this.#enter(step) === 'on') this.continueAfter(id);
    } else if ('wait' in step && 'rule' in step.wait) {
      const { value, holds_until: look } = this.#read(step.wait.rule);
      if (value) return this.continueAfter(step.id);
      const { wait } = this.move.run;
      if (wait !== null && wait.for === 'rule') this.#set({ wait: { ...wait, look } });
    }
  }

  /**
   * Whether the awaited rule was true at a check that is overdue together with the end of the wait, because the worker was down. On time, the
   * check would have ended the wait.
   */
  heldAtMissedCheck(): boolean {
    const { step: id, wait } = this.move.run;
    const step = id === null ? undefined : findStep(this.#context.campaign.steps, id);
    if (step === undefined || !('wait' in step) || !('rule' in step.wait) || wait?.until == null) return false;
    let look = wait.look ?? null;
    for (let count = 0; count < mostSteps && look !== null && look < wait.until; count++) {
      const { value, holds_until } = this.#read(step.wait.rule, look);
      if (value) return true;
      look = holds_until;
    }
    return false;
  }

  /** The pause of the campaign is over: requests a decision again for the effect at which the run was held. */
  resume(): undefined {
    const { step, reason } = this.move.run;
    if (step === null || reason !== 'paused') return;
    this.#record(step, 'resumed', null);
    this.checkAwaitedRule();
  }

  /**
   * Continues in another version at the current step. If the run is held at an effect, the next check requests the effect as the
   * new version defines it. A wait that differs in the new version starts again; any other wait continues.
   */
  moveFrom(from: Campaign, version: number): undefined {
    const { step: id, state } = this.move.run;
    const step = id === null ? undefined : findStep(this.#context.campaign.steps, id);
    if (id === null || step === undefined) return;
    this.#record(id, 'moved', `from version ${version}`);
    if (state !== 'waiting' || isSameStep(findStep(from.steps, id), step)) return;
    const next = this.#enter(step);
    if (next === 'on') this.continueAfter(id);
  }

  match(event: RunEvent): undefined {
    if (this.checkGoal(event) || event.at < this.#context.causedAt) return;
    const { campaign, at, brandZone: zone, catalog } = this.#context;
    const reading = { at, zone, catalog };
    const { step: id, state, wait } = this.move.run;
    const step = id === null ? undefined : findStep(campaign.steps, id);
    if (state !== 'waiting' || step === undefined || !('wait' in step) || !('event' in step.wait)) return;
    // The wait had already ended when it happened, even if a worker that was down moves the run only now.
    if (wait?.until != null && event.at > wait.until) return;
    if (matchesEvent(step.wait, event, reading)) this.continueAfter(step.id);
  }

  judge(id: string, verdict: Extract<Input, { kind: 'verdict' }>['verdict']): undefined {
    const step = findStep(this.#context.campaign.steps, id);
    if (step === undefined || id !== this.move.run.step) return;
    if (verdict.outcome === 'hold') {
      const isNew = this.move.run.reason !== verdict.reason;
      this.#set({ state: 'held', reason: verdict.reason, wait: { until: verdict.until, for: verdict.for } });
      return isNew ? this.#record(id, 'held', verdict.reason) : undefined;
    }
    this.#set({ state: 'active', reason: null, wait: null });
    if (verdict.outcome === 'withheld') {
      this.#record(id, 'withheld', verdict.reason);
      // The gate may know that the player is protected before the news about it reaches the run.
      if (protections.has(verdict.reason)) return this.end('exited', verdict.reason);
    } else {
      this.#set({ hadEffect: true });
      this.move.effects.push(this.#effectOf(step));
      this.#record(id, 'done', null);
    }
    this.continueAfter(id);
  }

  /** @returns the step to go to, `on` for the next one, or `stay`. */
  #enter(step: Step): Step | 'on' | 'stay' {
    this.#set({ state: 'active', reason: null, step: step.id, wait: null });
    if ('wait' in step) return this.#wait(step.id, step.wait);
    if ('branch' in step) {
      const arm = step.branch.find((one) => !('when' in one) || this.#holds(one.when));
      const steps = arm === undefined ? [] : 'when' in arm ? arm.steps : arm.otherwise;
      this.#record(step.id, 'done', null);
      return steps[0] ?? 'on';
    }
    if ('split' in step) {
      const arm = armOf(step.split, `${this.#context.seed} ${step.id}`);
      if (arm === undefined) return 'on';
      this.#set({ variants: { ...this.move.run.variants, [step.id]: arm.name } });
      this.#record(step.id, arm.control === true ? 'control' : 'done', null, arm.name);
      if (arm.control === true) {
        this.end('done', 'control');
        return 'stay';
      }
      return arm.steps?.[0] ?? 'on';
    }
    if ('exit' in step) {
      this.#record(step.id, 'done', null);
      this.exit(step.exit.reason ?? 'exit');
      return 'stay';
    }
    if (isTag(step)) {
      const { effectsHeld } = this.#context;
      if (effectsHeld !== undefined) {
        this.#set({ state: 'held', reason: effectsHeld, wait: { until: null, for: 'gate' } });
        this.#record(step.id, 'held', effectsHeld);
        return 'stay';
      }
      const effect = this.#effectOf(step);
      this.#set({ hadEffect: true });
      this.move.effects.push(effect);
      this.#context = { ...this.#context, player: afterTags(this.#context.player, [effect]) };
      this.#record(step.id, 'done', null);
      return 'on';
    }
    this.#holdForDecision(step);
    return 'stay';
  }

  /** @param reason why the run was held before. If it is held again for this reason, the timeline gets no new line */
  #holdForDecision(step: Step, reason: string | null = 'asking'): undefined {
    this.#set({ state: 'held', reason, step: step.id, wait: null });
    this.move.heldEffect = this.#effectOf(step);
  }

  #wait(id: string, wait: Wait): 'on' | 'stay' {
    const read = 'rule' in wait ? this.#read(wait.rule) : undefined;
    if (read?.value === true) {
      this.#record(id, 'done', null);
      return 'on';
    }
    const until = this.#endOf(wait);
    if ('until' in wait && until <= this.#context.at) {
      this.#record(id, 'done', null);
      return 'on';
    }
    const reason = 'event' in wait ? 'event' : 'rule' in wait ? 'rule' : 'time';
    const look = read === undefined ? {} : { look: read.holds_until };
    this.#set({ state: 'waiting', wait: { until, for: reason, ...look } });
    this.#record(id, 'waiting', null);
    return 'stay';
  }

  #endOf(wait: Wait): number {
    const { at, zone, brandZone } = this.#context;
    if ('until' in wait) return nextMoment(wait.until, at, wait.zone === 'brand' ? brandZone : zone);
    return at + (readDuration('for' in wait ? wait.for : wait.timeout) ?? 0);
  }

  #effectOf(step: Step): Effect {
    const { campaign, at } = this.#context;
    return effectOf(campaign, step, at);
  }

  #holds(rule: Campaign['audience']): boolean {
    if (rule === undefined) return false;
    const { player, at, brandZone, catalog } = this.#context;
    return ruleHolds(rule, player, { at, zone: brandZone, catalog });
  }

  #read(rule: Rule, at = this.#context.at): Omit<Evaluation, 'trace'> {
    const { player, brandZone, catalog } = this.#context;
    return answerOf(rule, player, { at, zone: brandZone, catalog, ahead });
  }

  #set(change: Partial<Run>): undefined {
    this.move.run = { ...this.move.run, ...change };
  }

  #record(step: string, state: StepRecord['state'], reason: string | null, variant?: string): undefined {
    this.move.records.push({ step, state, at: this.#context.at, reason, ...(variant !== undefined && { variant }) });
  }
}

/** The gate does not decide about a tag, because a tag contacts no player. */
function isTag(step: Step): boolean {
  return 'tag' in step || 'untag' in step;
}

export function findStep(steps: readonly Step[], id: string): Step | undefined {
  for (const step of steps) {
    if (step.id === id) return step;
    for (const inner of innerSteps(step)) {
      const found = findStep(inner, id);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Returns the step that follows this step and all steps inside it. */
function stepAfter({ steps }: Campaign, id: string): Step | undefined {
  const within = (list: readonly Step[], after: Step | undefined): { next: Step | undefined } | undefined => {
    for (const [place, step] of list.entries()) {
      const next = list[place + 1] ?? after;
      if (step.id === id) return { next };
      for (const inner of innerSteps(step)) {
        const found = within(inner, next);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  return within(steps, undefined)?.next;
}

/** The effect of a step, or undefined if it has none. */
export function effectAt(campaign: Campaign, id: string, at: Micros): Effect | undefined {
  const step = findStep(campaign.steps, id);
  if (step === undefined || 'wait' in step || 'branch' in step || 'split' in step || 'exit' in step) return undefined;
  return effectOf(campaign, step, at);
}

function effectOf({ purpose = 'marketing' }: Campaign, step: Step, at: Micros): Effect {
  const { id } = step;
  if ('send' in step) return { step: id, kind: 'send', ...step.send, purpose };
  if ('webhook' in step) return { step: id, kind: 'webhook', channel: 'webhook', ...step.webhook, purpose };
  if ('call_list' in step) return { step: id, kind: 'call_list', channel: 'telephone', ...step.call_list, purpose };
  if ('credit' in step) return { step: id, kind: 'credit', ...step.credit };
  if ('credit_funds' in step) return { step: id, kind: 'credit_funds', ...step.credit_funds };
  if ('offer' in step) {
    const { expires_in, ...offer } = step.offer;
    const expires_at = expires_in === undefined ? null : at + (readDuration(expires_in) ?? 0);
    return { step: id, kind: 'offer', ...offer, expires_at };
  }
  if ('tag' in step) return { step: id, kind: 'tag', tag: step.tag };
  if ('untag' in step) return { step: id, kind: 'untag', tag: step.untag };
  throw new Error(`step ${id} has no effect`);
}
