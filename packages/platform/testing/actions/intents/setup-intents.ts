import type { Pool } from 'pg';
import { onTestFinished } from 'vitest';
import type { IntentState } from '../../../src/actions/intent.ts';
import { type Attempt, selectAttempts } from '../../../src/actions/intents/attempt-store.ts';
import { createIntents } from '../../../src/actions/intents/create.ts';
import type { BonusIntent, NewIntent } from '../../../src/actions/intents/intent.ts';
import { selectIntent } from '../../../src/actions/intents/intent-store.ts';
import { IntentRunner, type RunnerOptions } from '../../../src/actions/intents/runner.ts';
import { systemClock } from '../../../src/clock.ts';
import { transaction } from '../../../src/database/index.ts';
import { Gate } from '../../../src/gate/index.ts';
import { testLog } from '../../log.ts';
import { isCurrent, type SyncSetup, setupSync } from '../../operator/setup-sync.ts';

/* Setup for tests of intents: a brand with its sandbox operator, a worker that keeps players known, and a runner, all real. */
export interface IntentSetup extends SyncSetup {
  runner: IntentRunner;
  gate: Gate;
  /** Another worker process of the same brand; the test starts it. */
  makeRunner(changes?: Partial<RunnerOptions>): IntentRunner;
  /** A player with known consents, blocks and details. @returns player_id */
  knownPlayer(userId: string): Promise<number>;
  order(playerId: number, changes?: Partial<NewIntent>): Promise<string>;
  intent(intentId: string): Promise<BonusIntent>;
  attempts(intentId: string): Promise<Attempt[]>;
  /** Waits until the intent is in one of these states and no call is open; the test's timeout is the limit. */
  untilState(intentId: string, ...states: IntentState[]): Promise<BonusIntent>;
  /** Makes everything of the intent that is due later due now. */
  hurry(intentId: string): Promise<void>;
  /** Number of credits in the operator's records under the intent's key. */
  creditsOf(intentId: string): number;
}

export async function setupIntents(
  pool: Pool,
  options: Parameters<typeof setupSync>[1] & { runs?: boolean } = {},
): Promise<IntentSetup> {
  const sync = await setupSync(pool, options);
  const { brand, operator, worker } = sync;
  const brands = { all: () => [brand], byId: (id: number) => (id === brand.brand_id ? brand : undefined) };
  const gate = new Gate({ clock: systemClock, brands });
  const makeRunner: IntentSetup['makeRunner'] = (changes) => {
    const { clients, health } = worker;
    const deps = { pool, brands, clients, health, gate, clock: systemClock, log: testLog, process: 'test' };
    const made = new IntentRunner({ ...deps, random: () => 0.5, ...changes });
    onTestFinished(() => made.stop());
    return made;
  };
  const runner = makeRunner();
  if (options.runs !== false) await runner.start();
  let finished = false;
  onTestFinished(() => {
    finished = true;
  });

  const intent = async (intentId: string) => {
    const found = await selectIntent(pool, intentId);
    if (found === null) throw new Error(`there is no intent ${intentId}`);
    return found;
  };
  return {
    ...sync,
    runner,
    gate,
    makeRunner,
    intent,
    attempts: (intentId) => selectAttempts(pool, intentId),
    async knownPlayer(userId) {
      const playerId = await sync.addPlayer(userId);
      await sync.refresh(playerId);
      await sync.until(playerId, isCurrent);
      return playerId;
    },
    async order(player_id, changes = {}) {
      const wanted = { brand_id: brand.brand_id, player_id, bonus_code: 'RELOAD50', created_by: 'a test', ...changes };
      const [made] = await transaction(pool, (tx) => createIntents(tx, [wanted], systemClock()));
      if (made === undefined) throw new Error('no intent was created');
      runner.wake();
      return made.intent_id;
    },
    async untilState(intentId, ...states) {
      while (!finished) {
        const now = await intent(intentId);
        if (states.includes(now.state) && now.open_attempt === null) return now;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error(`the test ended before the intent was ${states.join(' or ')}`);
    },
    async hurry(intentId) {
      await pool.query('update bonus_intent set due_at = now() where intent_id = $1 and due_at is not null', [
        intentId,
      ]);
      runner.wake();
    },
    creditsOf: (intentId) => operator.books.credits.filter((credit) => credit.idempotency_key === intentId).length,
  };
}
