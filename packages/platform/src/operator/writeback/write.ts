import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { done, lost, type Outcome, pauseMs, type Started } from '../../outgoing/index.ts';
import type { OperatorClient, OperatorClients, OperatorHealth } from '../calling/index.ts';
import { lanes, lateWritesFor, requestLookUps, type WrittenRecord } from '../players/index.ts';
import { lockRecord, newestRequest } from './change-store.ts';
import { endClaim, takeItems, type WriteClaim, writeQueue } from './claim-store.ts';
import { answerText, isAlive, judgeWrite, type WriteJudgment } from './judge-write.ts';
import { requestBody, type SentItem } from './request.ts';
import { mayComeLate, writeLadder } from './retry.ts';
import { insertAttempt, markFailed, markStored, type WriteAttempt } from './settle-store.ts';
import { UnknownPlayer } from './unknown-player.ts';
import { writeEndpointOf } from './write-slots.ts';

/*
 * One write, in the three parts of a call (outgoing/call.ts): take the items, call, store the outcome. Never throws for an
 * error of the operator.
 *
 * A crash at any point only causes a repeat. After a crash before the call, the claim expires. After a crash between the
 * operator's 200 and storing the outcome, the same values are sent again. A worker that continues after a suspension makes no
 * call if its claim could expire during the call. It stores nothing if it lost its claim, because another worker has written.
 */

const pathOf = { consents: 'userconsents', blocks: 'userblocks' } as const satisfies Record<WrittenRecord, string>;

export interface WriteDeps {
  pool: Pool;
  clients: Pick<OperatorClients, 'of'>;
  health: OperatorHealth;
  clock: Clock;
  log: Logger;
  random: () => number;
}

export interface OpenWrite {
  claim: WriteClaim;
  client: OperatorClient;
  items: readonly SentItem[];
}

export interface WriteAnswer {
  judgment: WriteJudgment;
  attempt: WriteAttempt;
}

export async function beginWrite(
  claim: WriteClaim,
  brand: Brand | undefined,
  { pool, clients }: Pick<WriteDeps, 'pool' | 'clients'>,
): Promise<Started<OpenWrite> | Outcome> {
  const client = brand === undefined ? null : clients.of(brand);
  if (client === null) return lost;
  const items = await takeItems(pool, claim);
  if (items === null) return lost;
  if (items.length > 0) return { outcome: 'started', open: { claim, client, items } };
  await endClaim(pool, claim);
  return done;
}

export async function sendWrite(
  { claim, client, items }: OpenWrite,
  { clock, health }: Pick<WriteDeps, 'clock' | 'health'>,
): Promise<WriteAnswer> {
  const { record, brand_id, user_id } = claim;
  const endpoint = writeEndpointOf[record];
  const request = requestBody(record, items);
  const started_at = clock();
  const started = performance.now();
  const call = await client.call({
    method: 'POST',
    writes: endpoint,
    path: [pathOf[record], user_id],
    body: request,
  });
  const took_ms = performance.now() - started;
  const judgment = judgeWrite(call);
  const status = call.answered ? call.status : null;
  health.record({
    brand_id,
    endpoint,
    took_ms,
    authenticated: status !== null && status !== 401 && status !== 403,
    failure: judgment.stored ? undefined : { reason: judgment.failure, detail: judgment.detail },
  });
  health.circuits.recordAnswer(brand_id, endpoint, { alive: isAlive(judgment), pause_ms: pauseAfter(judgment) });
  const attempt: WriteAttempt = {
    item_ids: items.map(({ item_id }) => item_id),
    started_at,
    took_ms,
    request,
    status,
    answer: answerText(call),
    outcome: judgment.stored ? 'stored' : judgment.failure,
    detail: judgment.stored ? null : judgment.detail,
  };
  return { judgment, attempt };
}

/** @returns `lost` if the claim was gone; nothing is written then */
export async function finishWrite(
  open: OpenWrite,
  answer: WriteAnswer,
  deps: Omit<WriteDeps, 'clients' | 'health'>,
): Promise<Outcome> {
  const outcome = await settle(open, answer, deps).catch((error: unknown) => {
    // The player was erased during the call, and the claim with it: nothing is written, and there is nothing to repeat.
    if (error instanceof UnknownPlayer) return lost;
    throw error;
  });
  if (outcome.outcome === 'lost')
    deps.log.warn(
      { player_id: open.claim.player_id, record: open.claim.record },
      'a write was answered after its claim expired (the remaining changes are sent again), or after its player was erased',
    );
  return outcome;
}

function settle(
  { claim, items }: OpenWrite,
  { judgment, attempt }: WriteAnswer,
  { pool, clock, random }: Omit<WriteDeps, 'clients' | 'health'>,
): Promise<Outcome> {
  const { player_id, brand_id, record } = claim;
  return transaction(pool, async (tx) => {
    await lockRecord(tx, claim);
    const locked = await writeQueue.lock(tx, claim);
    if (locked === null) return lost;
    await insertAttempt(tx, claim, attempt);
    const at = clock();
    if (judgment.stored) {
      // Requested in the transaction that marks the items as stored. So the look-up that confirms them starts after the operator
      // has stored them.
      await requestLookUps(tx, [{ player_id, brand_id, look_up: record, lane: lanes.live }]);
      const confirm_request = await newestRequest(tx, player_id, record);
      await markStored(tx, { item_ids: attempt.item_ids, at, confirm_request });
    } else {
      const { failure, detail, retry_after_ms } = judgment;
      const inCompany = failure === 'rejected' && items.length > 1;
      const failed = items.map((item) => {
        const tries = writeLadder.triesAfter(item, failure);
        const wait = writeLadder.delayMs(failure, tries, { random: random(), retry_after_ms });
        const { item_id } = item;
        return inCompany
          ? { item_id, tries: 0, delay_ms: 0, alone: true }
          : { item_id, tries, delay_ms: wait, alone: false };
      });
      const late_until = mayComeLate.has(failure) ? at + lateWritesFor : null;
      await markFailed(tx, { items: failed, at, database_at: locked.locked_at, failure, detail, late_until });
    }
    return outcomeOf(judgment, await endClaim(tx, claim), locked.locked_at);
  });
}

/** @param due_at of the next item of this record; null if none waits */
function outcomeOf(judgment: WriteJudgment, due_at: Micros | null, database_at: Micros): Outcome {
  const in_ms = Math.max(0, ((due_at ?? database_at) - database_at) / 1_000);
  if (!judgment.stored) return { outcome: 'retry', reason: judgment.failure, in_ms };
  return due_at === null ? done : { outcome: 'snooze', reason: 'further_changes', in_ms };
}

function pauseAfter(judgment: WriteJudgment): number | undefined {
  if (judgment.stored || judgment.failure !== 'rate_limited') return undefined;
  return pauseMs(judgment.retry_after_ms);
}
