import {
  advance,
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
import type { OrderDeps, SiteSignal } from '../../channels/index.ts';
import type { Gate } from '../../gate/index.ts';
import type { Phase, RunnableVersion, Versions } from '../documents/active-store.ts';
import { type AskedEffect, rulesOfContact } from './contact.ts';
import { perform } from './effects.ts';
import type { MovedRun, RunPlayer, RunRow, StoryRow } from './store.ts';

/** A run with all that moving it needs. */
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
  story: StoryRow[];
  signals: SiteSignal[];
}

/** Steps that ask in one round: a run with more goes on in the next one. */
const mostWaves = 50;

interface Underway {
  hand: RunAtHand;
  move: Move;
}

/**
 * Moves runs, each by one input, as far as they go. What they are held at is asked of the gate in waves: one question for all runs, then
 * the effects that it allows, then on to the next. An effect that cannot be ordered fails its run and no other.
 */
export async function drive(
  tx: PoolClient,
  deps: DriveDeps,
  inputs: readonly { hand: RunAtHand; input: Input }[],
  at: Micros,
): Promise<Driven> {
  const driven: Driven = { moved: [], story: [], signals: [] };
  let underway: Underway[] = [];
  for (const { hand, input } of inputs) underway.push(await stepOn(tx, deps, hand, runOf(hand.row), input, at, driven));
  for (let wave = 0; ; wave++) {
    const asking = underway.filter(({ move }) => move.asks !== null);
    for (const one of underway) if (one.move.asks === null || wave === mostWaves) driven.moved.push(movedRun(one, at));
    if (asking.length === 0 || wave === mostWaves) return driven;
    const verdicts = await ask(tx, deps, asking, driven.moved);
    underway = [];
    for (const [place, { hand, move }] of asking.entries()) {
      const verdict = verdicts[place] as Verdict;
      const input: Input = { kind: 'verdict', step: (move.asks as Effect).step, verdict };
      underway.push(await stepOn(tx, deps, hand, move.run, input, at, driven));
    }
  }
}

function runOf({ state, reason, position }: RunRow): Move['run'] {
  return { state, reason, ...position };
}

async function stepOn(
  tx: PoolClient,
  deps: DriveDeps,
  hand: RunAtHand,
  run: Move['run'],
  input: Input,
  at: Micros,
  driven: Driven,
): Promise<Underway> {
  const { row, version, brand, player, context } = hand;
  const { user_id } = player;
  const head = {
    player_id: row.player_id,
    run_id: row.run_id,
    campaign_id: row.campaign_id,
    version_id: row.version_id,
  };
  let story: StoryRow[] = [];
  try {
    const move = advance(run, input, context);
    story = move.story.map((one): StoryRow => ({ ...head, ...one, variant: one.variant ?? null, effect: null }));
    for (const effect of move.effects) {
      const own = story.findLast(({ step }) => step === effect.step);
      await fail(own, async () => {
        const of = { brand, user_id, run: row, version, at };
        const { effect: made, withheld, signals } = await inSavepoint(tx, () => perform(tx, deps, effect, of));
        driven.signals.push(...signals);
        if (own !== undefined)
          Object.assign(own, { effect: made }, withheld !== null && { state: 'withheld', reason: withheld });
      });
    }
    driven.story.push(...story);
    return { hand, move };
  } catch (error) {
    const reason = reasonOf(error);
    if (story.length === 0)
      story.push({ ...head, step: run.step ?? '', state: 'failed', at, reason, variant: null, effect: null });
    driven.story.push(...story);
    const failed = { ...run, state: 'failed' as const, reason, step: null, wait: null };
    return { hand, move: { run: failed, effects: [], story: [], asks: null } };
  }
}

/** The step whose effect could not be ordered says so. */
async function fail(own: StoryRow | undefined, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (own !== undefined) Object.assign(own, { state: 'failed', reason: reasonOf(error) });
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What fails inside leaves the transaction as it was before. */
async function inSavepoint<T>(tx: PoolClient, work: () => Promise<T>): Promise<T> {
  await tx.query('savepoint effect');
  try {
    const result = await work();
    await tx.query('release savepoint effect');
    return result;
  } catch (error) {
    await tx.query('rollback to savepoint effect');
    throw error;
  }
}

/**
 * One decision for each run that is held at an effect, in their order: by the gate, and by the rules of contact where the gate allows it.
 *
 * @param moved runs of this round that have come to rest
 */
async function ask(
  tx: PoolClient,
  deps: DriveDeps,
  asking: readonly Underway[],
  moved: readonly MovedRun[],
): Promise<Verdict[]> {
  const open = asking.filter(({ hand }) => hand.phase === 'live');
  const asked = open.map(({ hand, move }): AskedEffect => ({ hand, effect: move.asks as Effect }));
  const rules = await rulesOfContact(tx, deps.versions, asked, moved);
  const decisions = await deps.gate.mayContact(
    tx,
    asked.map(({ hand: { row, brand }, effect }) => {
      const { channel, purpose } = contactOf(effect);
      const cause = { kind: 'run' as const, id: `${row.run_id}/${effect.step}` };
      return { brand_id: brand.brand_id, player_id: row.player_id, channel, purpose, cause, expires_at: null };
    }),
    rules,
  );
  return asking.map((one): Verdict => {
    const decision = decisions[open.indexOf(one)];
    if (decision === undefined) return { outcome: 'hold', reason: one.hand.phase, until: null, for: 'gate' };
    if (decision.outcome !== 'held') return decision;
    const until = one.hand.context.at + decision.ask_again_ms * 1_000;
    const { reason } = decision;
    return { outcome: 'hold', reason, until, for: reason === 'quiet_hours' ? reason : 'gate' };
  });
}

function movedRun({ hand, move: { run, asks } }: Underway, at: Micros): MovedRun {
  const { state, reason, ...position } = run;
  const { run_id, player_id, version_id } = hand.row;
  // What is still to be asked at the end of the last wave is asked in the next round.
  const due_at = asks !== null ? at : dueOf(run);
  return { run_id, player_id, version_id, state, reason, position, due_at, moved_at: at };
}
