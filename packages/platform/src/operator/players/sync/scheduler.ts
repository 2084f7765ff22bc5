import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../../../brands/index.ts';
import type { ClockGuard } from '../../../chores/index.ts';
import type { Clock } from '../../../clock.ts';
import { done, lost, type Outcome, Runner } from '../../../outgoing/index.ts';
import type { OperatorClient, OperatorClients, OperatorHealth } from '../../calling/index.ts';
import type { LookUpResult } from '../records/apply-results.ts';
import { type OnRenewed, ResultWriter } from '../records/result-writer.ts';
import { type LookUpClaim, lookUpQueue } from './claim-store.ts';
import { endpointOf } from './endpoint-of.ts';
import { lookUp } from './look-up.ts';
import { needsPerson } from './retry.ts';
import { type LookUpPlace, lookUpPlaces } from './slots.ts';

/*
 * Makes the look-ups that are due, with the engine for outgoing calls, and passes the judged answers to the writer.
 *
 * Every operator, endpoint and lane has its own slots and sockets. They share the claiming statement, the writer, and this
 * process's CPU, none of which waits for an operator.
 */

/** Time for open look-ups when the process stops. After that, they are released, and their answers ignored. */
const defaultStopGraceMs = 5_000;

export interface SchedulerOptions {
  pool: Pool;
  brands: {
    all(): Iterable<Brand>;
    /** Reads changes of the brands now; `all` returns them without this call within a second. */
    refresh(): Promise<unknown>;
  };
  clients: OperatorClients;
  health: OperatorHealth;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
  /** Default 5000. */
  stopGraceMs?: number | undefined;
  random?: (() => number) | undefined;
  onRenewed?: OnRenewed;
}

interface OpenLookUp {
  claim: LookUpClaim;
  client: OperatorClient;
  brand: Brand;
}

export class LookUpScheduler extends Runner<LookUpPlace, LookUpClaim, OpenLookUp, LookUpResult> {
  constructor(options: SchedulerOptions) {
    const { pool, log, guard, brands, clients, health, clock } = options;
    const { random = Math.random, stopGraceMs = defaultStopGraceMs } = options;
    const writer = new ResultWriter(options);
    /**
     * Whether the settings of the operator have changed since the call began. For example, a person corrects a key and tests it
     * immediately. Then the call may have used the former key, and its failure must not delay the next call by 30 s.
     */
    const hasNewSettings = async ({ brand_id, operator }: Brand) => {
      // If the database is unavailable, the settings in memory are used. The registry logs the failure.
      await brands.refresh().catch(() => {});
      const now = [...brands.all()].find((one) => one.brand_id === brand_id);
      return now !== undefined && !isDeepStrictEqual(now.operator, operator);
    };
    /** The operators of the current round. */
    let operators = new Map<number, Brand>();
    super(
      {
        queue: lookUpQueue,
        readsBackInTurns: true,
        places() {
          operators = new Map([...brands.all()].map((brand) => [brand.brand_id, brand]));
          const settings = [...operators.values()].flatMap(({ brand_id, operator }) =>
            operator === null ? [] : [{ brand_id, ...operator }],
          );
          return lookUpPlaces(settings, health.circuits);
        },
        async begin(claim) {
          const brand = operators.get(claim.brand_id);
          const client = brand === undefined ? null : clients.of(brand);
          // The operator was removed from the configuration. The claim expires, and nothing more is claimed there.
          if (brand === undefined || client === null) return lost;
          return { outcome: 'started', open: { claim, client, brand } };
        },
        async send({ claim, client, brand }) {
          const { result, endpoint } = await lookUp(claim, { client, brand, health, clock, random });
          health.circuits.recordAnswer(claim.brand_id, endpointOf[claim.look_up], endpoint);
          const { outcome } = result;
          if ('found' in outcome || !needsPerson(outcome.failure) || !(await hasNewSettings(brand))) return result;
          return { claim, outcome: { ...outcome, delay_ms: 0 } };
        },
        async finish(_, result, { signal, freeSlot }) {
          // Released: another worker makes the look-up again.
          if (result === null || signal.aborted) return lost;
          const written = writer.write(result);
          // The next call of this endpoint does not wait for the write, unless the writer's batch is full.
          if (!writer.isFull) freeSlot();
          await written;
          return outcomeOf(result);
        },
        about: ({ player_id, look_up }) => ({ player_id, look_up }),
        words: {
          away: 'look-ups are not claimed: the database is unavailable',
          again: 'look-ups are claimed again',
          failed: 'look-ups cannot be claimed: internal error',
          brokeOff: 'a look-up was interrupted',
        },
      },
      { pool, log, guard, stopGraceMs },
    );
  }
}

function outcomeOf({ outcome }: LookUpResult): Outcome {
  if ('found' in outcome) return done;
  const { failure, delay_ms } = outcome;
  if (delay_ms === null) return { outcome: 'give_up', reason: failure };
  return { outcome: 'retry', reason: failure, in_ms: delay_ms };
}
