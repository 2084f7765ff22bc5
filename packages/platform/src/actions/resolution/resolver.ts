import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import { isDatabaseAway, transaction } from '../../database/index.ts';
import type { Service } from '../../service.ts';
import { type AskedEvent, applyIntentEvents } from '../intents/apply.ts';
import { type Assigned, assign } from './assign.ts';
import { lockGroup, readGrants, readIntents, saveAssignments } from './group-store.ts';
import { dueGroups, type Group, postpone, type RequestedGroup, takeRequests } from './request-store.ts';
import { certaintyOf, resolutionOf } from './resolve.ts';

/** Nearly every request wakes the resolver. The poll is for requests that were lost in a crash or came from another process. */
const pollMs = 250;
/** Maximum number of pairs per round. */
const maxGroups = 100;
/** Waits of a pair that failed, by its tries; the last one repeats. */
const waitsMs = [1_000, 10_000, 60_000, 600_000];

/**
 * Assigns the bonuses of players to intents when requested, and applies the result: an intent is proven by a reference or a
 * match, or a match is withdrawn. Each pair of player and bonus_code has one short transaction, which also deletes the
 * requests, so that none is lost or handled twice. A pair that fails does not delay
 * the others.
 *
 *   request --runOnce--> lock the intents -> read the bonuses -> assign (pure) -> apply, save --commit--> request is gone
 *
 * A request is committed together with the rows that it concerns. The bonuses are read after the locks are taken, and any later
 * change makes a new request.
 */
export class Resolver implements Service {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #rounds: Rounds<{ groups: number }>;

  constructor({ pool, clock, log, guard }: { pool: Pool; clock: Clock; log: Logger; guard?: ClockGuard }) {
    this.#pool = pool;
    this.#clock = clock;
    this.#log = log;
    this.#rounds = new Rounds({
      name: 'resolutions',
      guard,
      runOnce: () => this.runOnce(),
      isMore: ({ groups }) => groups === maxGroups,
      pollMs,
      log,
      words: {
        away: 'intents are not resolved: the database is unavailable',
        again: 'intents are resolved again',
        failed: 'resolving intents failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Called when there may be requests. If a call is missed, the next poll finds the requests. */
  readonly wake = (): void => this.#rounds.wake();

  /** Handles the pairs that are due. Throws if the database is unavailable; a pair that fails is postponed. */
  async runOnce(): Promise<{ groups: number; moved: number; failed: number }> {
    const groups = await dueGroups(this.#pool, maxGroups);
    const counts = { groups: groups.length, moved: 0, failed: 0 };
    for (const group of groups) {
      try {
        counts.moved += await transaction(this.#pool, (tx) => this.#look(tx, group));
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        counts.failed++;
        await this.#postpone(group, error);
      }
    }
    return counts;
  }

  async #look(tx: PoolClient, group: RequestedGroup): Promise<number> {
    if ((await takeRequests(tx, group)) === 0) return 0;
    return resolveGroup(tx, group, this.#clock());
  }

  async #postpone(group: RequestedGroup, error: unknown): Promise<void> {
    const wait_ms = waitsMs[Math.min(group.tries, waitsMs.length - 1)] ?? 0;
    const { player_id, bonus_code } = group;
    this.#log.error({ err: error, player_id, bonus_code, wait_ms }, 'an intent could not be resolved; will retry');
    await postpone(this.#pool, group, { wait_ms, error: error instanceof Error ? error.message : String(error) });
  }
}

/** Makes one assignment, in the caller's transaction. @returns how many intents moved */
export async function resolveGroup(tx: PoolClient, group: Group, at: number): Promise<number> {
  await lockGroup(tx, group);
  const intents = await readIntents(tx, group);
  const ids = intents.map(({ intent_id }) => intent_id);
  const grants = await readGrants(tx, group, ids);
  const assigned = assign(
    intents.map((intent) => ({ ...intent, certainty: certaintyOf(intent) })),
    grants,
  );
  await saveAssignments(tx, group, ids, assigned, at);

  const proofs = proofsOf(assigned);
  const events = intents.flatMap((intent): AskedEvent[] => {
    const { intent_id } = intent;
    const proof = proofs.get(intent_id);
    const type = resolutionOf(intent, proof?.how);
    if (type === null) return [];
    const proven = proof === undefined ? {} : { proof: { user_bonus_id: proof.user_bonus_id, how: proof.how } };
    return [{ intent_id, event: { type }, ...proven }];
  });
  return (await applyIntentEvents(tx, events, { at })).moved;
}

/** Returns the assignments, keyed by intent. If several bonuses name one intent, it returns the first. */
function proofsOf(assigned: ReadonlyMap<string, Assigned>) {
  const proofs = new Map<string, { user_bonus_id: string; how: Assigned['how'] }>();
  for (const [user_bonus_id, { intent_id, how }] of assigned) {
    if (!proofs.has(intent_id)) proofs.set(intent_id, { user_bonus_id, how });
  }
  return proofs;
}
