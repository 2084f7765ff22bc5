import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isUnfitValue } from '../database/index.ts';
import type { Outcome } from './outcome.ts';

/*
 * One call, in three parts that the runner of a queue provides:
 *
 *   begin  : one transaction. The claim holds, the call is still wanted and allowed, the row says that it is open. Or the work goes
 *            elsewhere, and there is no call.
 *   send   : one call, after the commit.
 *   finish : one transaction. What came is written, and says what follows.
 *
 * Where the process dies between begin and finish, nobody knows what the call did. What that means is the runner's to say: a look-up is
 * made again, a bonus is unknown, a push counts as lost.
 *
 * A process that was stopped for a while (SIGSTOP, a frozen machine) wakes up in the middle of this. Right before the call it looks at
 * its own clock; after more than a second it asks the database whether the claim outlasts the call, and does not call otherwise. Where
 * `begin` asked the gate, the gate is asked once more (`isStillAllowed`): what protects a player may have changed since. Looks that took
 * more than a second are repeated. What remains is a stop between the last look and the first byte.
 *
 * What a call brought is worth more than a slot: finish is tried again while the database does not take it, a lock that did not come
 * included, since writing it again is harmless. Only what can never be stored is given up at once.
 */

/** Calls begin at once. So late, something held this process up. */
const recheckAfterMs = 1_000;
/**
 * Looks that took longer than that are old themselves: the database was slow, or a lock was in the way. They are repeated so often, and then
 * the call is not made; a later claim makes it.
 */
const maxLooks = 3;
/** Between the tries to write an outcome. */
const finishRetryMs = [100, 500, 2_000, 5_000];

export interface Begun<Open> {
  outcome: 'begun';
  open: Open;
}

/** What the engine lends to `finish`. */
export interface Hand {
  /** Aborted when a stop has waited long enough. */
  signal: AbortSignal;
  /** Gives the slot back before the outcome is written, so that the next call of this place need not wait for that. */
  freeSlot(): void;
}

export interface Calls<C, Open, Answer> {
  /** Safe to repeat: where its commit was lost, the claim runs out. */
  begin(claim: C): Promise<Begun<Open> | Outcome>;
  /** Never throws for anything that the other side or the network does. */
  send(open: Open): Promise<Answer>;
  /** How long the claim must still hold when a call begins late: the time limit of the call. Left out: a late call harms nobody. */
  callMs?(open: Open): number;
  /** The last look right before the call: false, or an error, and it is not made. Left out: nothing can forbid a call that has begun. */
  isStillAllowed?(open: Open): Promise<boolean>;
  /** Safe to repeat. @param answer null: the call was not made, because the claim would not have outlasted it or it was no longer allowed. */
  finish(open: Open, answer: Answer | null, hand: Hand): Promise<Outcome>;
  /** How often finish is tried. Then the outcome is only in the log. Default 1. */
  finishTries?: number;
  /** What the log says of a claim: its key. */
  about?(claim: C): Record<string, unknown>;
  /** What the log says of an outcome that was not written. */
  unwritten?(open: Open, answer: Answer | null): Record<string, unknown>;
  /** Ends the calls under way when a stop has waited long enough; each then has an answer that says so. Left out: nobody waits for them. */
  cut?(): Promise<void>;
}

export interface CallContext extends Hand {
  log: Logger;
  /** performance.now() of the claim. */
  claimedAt: number;
  holdsFor(ms: number): Promise<boolean>;
}

export async function carryOut<C, Open, Answer>(
  claim: C,
  calls: Calls<C, Open, Answer>,
  context: CallContext,
): Promise<Outcome> {
  const begun = await calls.begin(claim);
  if (begun.outcome !== 'begun') return begun;
  const { open } = begun;
  const answer = (await mayCall(open, calls, context)) ? await calls.send(open) : null;
  return finish(open, answer, calls, context);
}

async function mayCall<C, Open, Answer>(
  open: Open,
  calls: Calls<C, Open, Answer>,
  { claimedAt, holdsFor }: CallContext,
): Promise<boolean> {
  const neededMs = calls.callMs?.(open);
  for (let look = 1; look <= maxLooks; look++) {
    const lookedAt = performance.now();
    const isLate = neededMs !== undefined && lookedAt - claimedAt > recheckAfterMs;
    if (isLate && !(await holdsFor(neededMs))) return false;
    // The outcome of a call that was not made is known: an error here must not make it unknown.
    const allowed = (await calls.isStillAllowed?.(open).catch(() => false)) ?? true;
    if (!allowed) return false;
    if (performance.now() - lookedAt <= recheckAfterMs) return true;
  }
  return false;
}

async function finish<C, Open, Answer>(
  open: Open,
  answer: Answer | null,
  calls: Calls<C, Open, Answer>,
  { signal, freeSlot, log }: CallContext,
): Promise<Outcome> {
  const { finishTries = 1 } = calls;
  for (let tries = 1; ; tries++) {
    try {
      return await calls.finish(open, answer, { signal, freeSlot });
    } catch (error) {
      if (tries >= finishTries || isUnfitValue(error) || signal.aborted) {
        const told = calls.unwritten?.(open, answer);
        if (told !== undefined) log.error(told, 'the outcome of a call was not written');
        throw error;
      }
      const wait = finishRetryMs[Math.min(tries, finishRetryMs.length) - 1];
      await delay(wait, undefined, { signal }).catch(() => {});
    }
  }
}
