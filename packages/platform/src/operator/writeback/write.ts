import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import type { OperatorClient, OperatorHealth } from '../calling/index.ts';
import { lanes, lateWritesFor, requestLookUps, type WrittenRecord } from '../players/index.ts';
import { lockRecord, newestRequest } from './change-store.ts';
import { endClaim, lockClaim, takeItems, type WriteClaim } from './claim-store.ts';
import { answerText, isAlive, judgeWrite, type WriteJudgement } from './judge-write.ts';
import { requestBody, type SentItem } from './request.ts';
import { mayComeLate, waitAfter } from './retry.ts';
import { insertAttempt, markFailed, markStored, type WriteAttempt } from './settle-store.ts';
import { UnknownPlayer } from './unknown-player.ts';
import { writeEndpointOf } from './write-slots.ts';

const pathOf = { consents: 'userconsents', blocks: 'userblocks' } as const satisfies Record<WrittenRecord, string>;

export interface WriteDeps {
  pool: Pool;
  client: OperatorClient;
  health: OperatorHealth;
  clock: Clock;
  log: Logger;
  random: () => number;
  /** False once the claim may run out before a call that begins now has ended. */
  isInTime: () => boolean;
}

/** What a write taught about its endpoint; null: no call was made. */
export type WriteLesson = { stored: boolean; alive: boolean; pause_ms?: number | undefined } | null;

const defaultPauseMs = 1_000;
const maxPauseMs = 60_000;

/**
 * One write: take the items, call, judge, record. Never throws for anything the operator does.
 *
 * Dying at any point costs a repeat and nothing else. Before the call: the claim runs out. Between the operator's 200 and
 * its record: the same values are sent again. A worker that was stopped and woken finds its time over before it calls, or
 * its claim gone before it records; then somebody else has written, and tells the rest.
 */
export async function writeBack(claim: WriteClaim, deps: WriteDeps): Promise<WriteLesson> {
  const { record, brand_id, user_id } = claim;
  const items = await takeItems(deps.pool, claim);
  if (items.length === 0) {
    await endClaim(deps.pool, claim);
    return null;
  }
  if (!deps.isInTime()) return null;

  const request = requestBody(record, items);
  const started_at = deps.clock();
  const started = performance.now();
  const call = await deps.client.call({
    method: 'POST',
    writes: writeEndpointOf[record],
    path: [pathOf[record], user_id],
    body: request,
  });
  const took_ms = performance.now() - started;
  const judgement = judgeWrite(call);
  const status = call.answered ? call.status : null;
  deps.health.record({
    brand_id,
    endpoint: writeEndpointOf[record],
    took_ms,
    authenticated: status !== null && status !== 401 && status !== 403,
    failure: judgement.stored ? undefined : { reason: judgement.failure, detail: judgement.detail },
  });

  const attempt: WriteAttempt = {
    item_ids: items.map(({ item_id }) => item_id),
    ...{ started_at, took_ms, request, status, answer: answerText(call) },
    outcome: judgement.stored ? 'stored' : judgement.failure,
    detail: judgement.stored ? null : judgement.detail,
  };
  const isRecorded = await settle(claim, items, judgement, attempt, deps);
  if (!isRecorded)
    deps.log.warn(
      { player_id: claim.player_id, record },
      'a write was answered after its claim had run out, or its player was erased; what is left of it is repeated',
    );
  return { stored: judgement.stored && isRecorded, alive: isAlive(judgement), pause_ms: pauseAfter(judgement) };
}

/** @returns false when the claim was gone: nothing is written then. */
function settle(
  claim: WriteClaim,
  items: readonly SentItem[],
  judgement: WriteJudgement,
  attempt: WriteAttempt,
  { pool, clock, random }: WriteDeps,
): Promise<boolean> {
  const { player_id, brand_id, record } = claim;
  return transaction(pool, async (tx) => {
    await lockRecord(tx, claim);
    if (!(await lockClaim(tx, claim))) return false;
    await insertAttempt(tx, claim, attempt);
    if (judgement.stored) {
      // Asked for in the transaction that says "stored": a look-up that answers this request was asked after it.
      await requestLookUps(tx, [{ player_id, brand_id, look_up: record, lane: lanes.live }]);
      const confirm_request = await newestRequest(tx, player_id, record);
      await markStored(tx, { item_ids: attempt.item_ids, at: clock(), confirm_request });
    } else {
      const { failure, detail, retry_after_ms } = judgement;
      const inCompany = failure === 'rejected' && items.length > 1;
      const failed = items.map(({ item_id, attempts }) => {
        const wait = waitAfter(failure, attempts + 1, { random: random(), retry_after_ms });
        return { item_id, delay_ms: inCompany ? 0 : wait, alone: inCompany };
      });
      const at = clock();
      const late_until = mayComeLate.has(failure) ? at + lateWritesFor : null;
      await markFailed(tx, { items: failed, at, failure, detail, late_until });
    }
    await endClaim(tx, claim);
    return true;
  }).catch((error: unknown) => {
    // Erased while the call was made, the claim with the player: nothing is written, and there is nothing to repeat.
    if (error instanceof UnknownPlayer) return false;
    throw error;
  });
}

function pauseAfter(judgement: WriteJudgement): number | undefined {
  if (judgement.stored || judgement.failure !== 'rate_limited') return undefined;
  return Math.min(judgement.retry_after_ms ?? defaultPauseMs, maxPauseMs);
}
