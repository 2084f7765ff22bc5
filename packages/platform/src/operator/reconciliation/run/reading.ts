import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../../../brands/index.ts';
import type { Clock } from '../../../clock.ts';
import { transaction } from '../../../database/index.ts';
import {
  isRefusal,
  type OperatorClients,
  type OperatorHealth,
  type StreamResult,
  storableDetail,
} from '../../calling/index.ts';
import { heldFor } from '../answer/hold.ts';
import { type ReadingProgress, readAnswer } from '../answer/read-answer.ts';
import { UnusableResult } from '../answer/result-reader.ts';
import { timeOfResult } from '../answer/result-time.ts';
import { countWithdrawals } from '../compare/fact-store.ts';
import { subjectOf } from '../fields.ts';
import { noteOutcome } from '../schedule/schedule-store.ts';
import { addToStage, createStage, dropStage, finishStage } from '../stage/stage-store.ts';
import type { RunState } from './run.ts';
import {
  type Ending,
  endReading,
  finishReading,
  lastApplied,
  noteReading,
  type ReadingClaim,
  supersedeHeld,
} from './run-store.ts';

/** How often progress is stored, the claim renewed, and a cancel checked. */
const noteEveryMs = 1_000;

export interface ReadingDeps {
  pool: Pool;
  clients: OperatorClients;
  health: OperatorHealth;
  clock: Clock;
  log: Logger;
}

/** Why a reading was ended from outside. */
class Ended extends Error {
  override name = 'Ended';
  readonly why: 'cancelled' | 'lost' | 'stopped';
  constructor(why: 'cancelled' | 'lost' | 'stopped') {
    super(why);
    this.why = why;
  }
}

/**
 * Requests one field from the operator and stages the list, until the run waits to be compared, is held, or is over. The list
 * has no effect before its end has been read without error.
 *
 * @param stop aborted when the process stops: the run then ends as interrupted
 * @returns the state of the run afterwards; 'lost' if another worker has ended it
 */
export async function readRun(
  claimed: ReadingClaim,
  brand: Brand,
  deps: ReadingDeps,
  stop: AbortSignal,
): Promise<RunState | 'lost'> {
  const { pool, clock } = deps;
  const progress: ReadingProgress = { bytes: 0, ids_read: 0 };
  const end = new AbortController();
  const onStop = () => end.abort(new Ended('stopped'));
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  const watch = setInterval(async () => {
    const noted = await noteReading(pool, claimed, progress).catch(() => 'away' as const);
    if (noted === undefined) end.abort(new Ended('lost'));
    else if (noted !== 'away' && noted.cancel_requested) end.abort(new Ended('cancelled'));
  }, noteEveryMs);
  try {
    return await stageList(claimed, brand, deps, progress, end.signal);
  } catch (error) {
    const ending = endingOf(error, end.signal);
    if (ending === 'lost') return 'lost';
    if (ending.state === 'failed')
      deps.log.warn(
        // The detail is omitted, because it may quote the operator, and logs are kept after an erasure.
        { reconciliation_id: claimed.reconciliation_id, brand: brand.code, reason: ending.reason },
        'a reconciliation failed',
      );
    const isOurs = await transaction(pool, async (tx) => {
      const ended = await endReading(tx, claimed, ending, progress, clock());
      if (ended) await noteOutcome(tx, { ...claimed, brand, failed: ending.state === 'failed' }, clock());
      return ended;
    });
    await dropStage(pool, claimed.reconciliation_id);
    return isOurs ? ending.state : 'lost';
  } finally {
    clearInterval(watch);
    stop.removeEventListener('abort', onStop);
  }
}

async function stageList(
  claimed: ReadingClaim,
  brand: Brand,
  { pool, clients, health, clock }: ReadingDeps,
  progress: ReadingProgress,
  signal: AbortSignal,
): Promise<RunState | 'lost'> {
  const { reconciliation_id, brand_id, field } = claimed;
  const client = clients.of(brand);
  if (client === null || brand.operator === null) throw new Unanswered('no_operator', 'the brand has no operator');
  await createStage(pool, reconciliation_id);
  const last = await lastApplied(pool, brand_id, field);
  const asked_at = clock();
  const started = performance.now();
  const judged = (failure?: { reason: string; detail: string }, authenticated = true) => {
    const took_ms = performance.now() - started;
    health.record({ brand_id, endpoint: 'reconciliation', took_ms, authenticated, failure });
    health.circuits.recordAnswer(brand_id, 'reconciliation', { alive: failure === undefined });
  };
  const limits = { silence_ms: brand.operator.reconciliation_silence_ms, signal };
  const call = { method: 'POST', path: ['reconciliation'], body: { field } } as const;
  const time = await client
    .stream(call, limits, async (body) => {
      const written = await readAnswer(body, progress, (ids) => addToStage(pool, reconciliation_id, ids));
      const zone = brand.settings.zoneless_timestamps;
      return timeOfResult(written, { asked_at, now: clock(), zone, last: last?.as_of ?? null });
    })
    .then(answerOf)
    .catch((error: unknown) => {
      // A cancel or an error of the platform's own database says nothing about the operator.
      if (error instanceof UnusableResult) judged({ reason: error.reason, detail: error.message });
      else if (error instanceof NotOffered) judged();
      else if (error instanceof Unanswered && !signal.aborted)
        judged({ reason: error.reason, detail: error.message }, error.authenticated);
      throw error;
    });
  judged();
  const ids = await finishStage(pool, reconciliation_id);
  const ids_before = last?.ids ?? null;
  const subject = subjectOf(field);
  const withdrawals =
    subject.about === 'consent'
      ? await countWithdrawals(pool, { reconciliation_id, brand_id, as_of: time.as_of }, subject.type)
      : null;
  const held = heldFor(ids, ids_before, withdrawals);
  const finished = await transaction(pool, async (tx) => {
    const list = { ...time, ...progress, ids, ids_before, held };
    // Lock the row of the run first, as a person's decision about a held run does.
    if (!(await finishReading(tx, claimed, list))) return false;
    await supersedeHeld(tx, { brand_id, field, before: reconciliation_id }, clock());
    await noteOutcome(tx, { ...claimed, brand, failed: false }, clock());
    return true;
  });
  if (!finished) throw new Ended(signal.aborted ? (signal.reason as Ended).why : 'cancelled');
  return held === null ? 'comparing' : 'held';
}

/**
 * These statuses mean that the operator does not offer the field, or has no reconciliation at all (docs/reference/decisions.md
 * 4).
 */
const notOfferedStatuses: readonly number[] = [404, 405, 501];

class NotOffered extends Error {
  override name = 'NotOffered';
}

/** No answer, or an answer with any other status. */
class Unanswered extends Error {
  override name = 'Unanswered';
  readonly reason: Extract<Ending, { state: 'failed' }>['reason'];
  readonly authenticated: boolean;
  constructor(reason: Unanswered['reason'], message: string, authenticated = false) {
    super(storableDetail(message));
    this.reason = reason;
    this.authenticated = authenticated;
  }
}

function answerOf<T>(result: StreamResult<T>): T {
  if (!result.answered) throw new Unanswered(result.failure, result.detail);
  if (result.ok) return result.read;
  if (notOfferedStatuses.includes(result.status)) throw new NotOffered();
  const authenticated = result.status !== 401 && result.status !== 403;
  throw new Unanswered('bad_status', `answered ${result.status}`, authenticated);
}

function endingOf(error: unknown, signal: AbortSignal): Ending | 'lost' {
  const ended = signal.aborted ? (signal.reason as Ended) : error instanceof Ended ? error : undefined;
  if (ended?.why === 'lost') return 'lost';
  if (ended?.why === 'cancelled') return { state: 'cancelled' };
  if (ended?.why === 'stopped') return { state: 'failed', reason: 'interrupted', detail: 'the worker was stopped' };
  if (error instanceof NotOffered) return { state: 'not_offered' };
  if (error instanceof UnusableResult || error instanceof Unanswered)
    return { state: 'failed', reason: error.reason, detail: error.message };
  const detail = storableDetail(error instanceof Error ? error.message : String(error));
  return { state: 'failed', reason: isRefusal(error) ? 'unstorable' : 'interrupted', detail };
}
