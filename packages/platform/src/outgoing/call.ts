import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isUnfitValue } from '../database/index.ts';
import type { Outcome } from './outcome.ts';

/*
 * One call, in three parts that the runner of a queue provides:
 *
 *   begin  : one transaction. It checks that the claim holds and that the call is still wanted and allowed, and marks the row as open.
 *            It may also decide that no call is needed.
 *   send   : one call, after the commit.
 *   finish : one transaction. It writes the answer and what follows from it.
 *
 * If the process dies between begin and finish, the effect of the call is unknown. The runner decides what that means:
 * a look-up is made again, a bonus intent becomes unknown, and a push counts as lost.
 *
 * A process that was stopped for a while (SIGSTOP, a frozen machine) can resume at any point in this sequence. So right
 * before the call, the process reads its own clock. If more than a second has passed since the claim, it checks in the
 * database whether the claim outlasts the call. If not, it makes no call. If `begin` asked the gate, `isStillAllowed`
 * asks it once more, because the player may have become protected since. Checks that took more than a second are
 * repeated.
 *
 * `send` may have to wait before its first byte: for a token, for a connection, for the greeting of a mail server. It
 * calls `maySend` after that, which repeats the checks if they are no longer recent. One gap remains: the process may
 * be stopped between the last check and the first byte.
 *
 * While the database cannot store an answer, finish retries, even if this occupies a slot. It also retries after a lock
 * timeout; writing the outcome again is harmless. An outcome that can never be stored is given up immediately.
 */

/** Calls start immediately. A delay this long means the process was blocked. */
const recheckAfterMs = 1_000;
/**
 * Checks that took longer than `recheckAfterMs` are out of date: the database was slow, or another transaction held a lock. They
 * are repeated up to this many times. After that, the call is not made; a later claim makes it.
 */
const maxLooks = 3;
/** Checks that ended longer ago than this are repeated before the first byte. A call that does not wait for anything takes less time. */
const recentMs = 50;
/** Waits between the tries to write an outcome. The last one repeats. */
const finishRetryMs = [100, 500, 2_000, 5_000];

export interface Started<Open> {
  outcome: 'started';
  open: Open;
}

/** What the engine passes to `send`. */
export interface SendCheck {
  /**
   * Call it when everything is ready for the first byte. If it returns false, send nothing and return null: the claim
   * would expire during the call, or the call is no longer allowed. It never throws.
   */
  maySend(): Promise<boolean>;
}

/** What the engine passes to `finish`. */
export interface FinishContext {
  /** Aborted when a stop has waited its full grace period. */
  signal: AbortSignal;
  /** Frees the slot before the outcome is written, so that the next call of this place does not wait for the write. */
  freeSlot(): void;
}

export interface Calls<C, Open, Answer> {
  /** Safe to repeat: if its commit is lost, the claim expires. */
  begin(claim: C): Promise<Started<Open> | Outcome>;
  /**
   * Never throws for an error of the other side or of the network. @returns null if no byte was sent, because
   * `maySend` returned false
   */
  send(open: Open, sendCheck: SendCheck): Promise<Answer | null>;
  /**
   * How long the claim must still hold when a call begins late: the timeout of the call. Omit if a late call does no
   * harm.
   */
  callMs?(open: Open): number;
  /**
   * The last check right before the call. The call is not made if it returns false or fails. Omit it if a call needs no check
   * after `begin`.
   */
  isStillAllowed?(open: Open): Promise<boolean>;
  /**
   * Safe to repeat. @param answer null if the call was not made, because the claim would have expired during it or it
   * was no longer allowed
   */
  finish(open: Open, answer: Answer | null, context: FinishContext): Promise<Outcome>;
  /** How many times finish is tried. After that, the outcome is only in the log. Default 1. */
  finishTries?: number;
  /** What the log shows of a claim: its key. */
  about?(claim: C): Record<string, unknown>;
  /** What the log shows of an outcome that was not written. */
  unwritten?(open: Open, answer: Answer | null): Record<string, unknown>;
  /**
   * Ends open calls after a stop has waited its full grace period. Their answers state that they were cut. If omitted, a stop does not wait
   * for them.
   */
  cut?(): Promise<void>;
}

export interface CallContext extends FinishContext {
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
  const started = await calls.begin(claim);
  if (started.outcome !== 'started') return started;
  const { open } = started;
  if (!(await mayCall(open, calls, context))) return finish(open, null, calls, context);
  let checkedAt = performance.now();
  const sendCheck: SendCheck = {
    async maySend() {
      if (performance.now() - checkedAt <= recentMs) return true;
      const may = await mayCall(open, calls, context).catch(() => false);
      checkedAt = performance.now();
      return may;
    },
  };
  return finish(open, await calls.send(open, sendCheck), calls, context);
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
    // A call that was not made has a known outcome. An error here must not turn it into an unknown one.
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
        const details = calls.unwritten?.(open, answer);
        if (details !== undefined) log.error(details, 'the outcome of a call could not be stored');
        throw error;
      }
      const wait = finishRetryMs[Math.min(tries, finishRetryMs.length) - 1];
      await delay(wait, undefined, { signal }).catch(() => {});
    }
  }
}
