import type { ReconciliationField } from '@croupier/contracts';
import type { Clock } from '../../clock.ts';
import type { OperatorCall, OperatorClient } from '../calling/index.ts';
import { readAnswer } from './answer/read-answer.ts';
import { UnusableResult } from './answer/result-reader.ts';
import { timeOfResult } from './answer/result-time.ts';

/** The outcome of a request for a list that was read to its end and discarded. */
export interface TriedList {
  /** Null if there was no answer. */
  status: number | null;
  /** The beginning of the body of a 200. The body of another answer is not read. */
  start: Buffer;
  bytes: number;
  ids: number;
  /** Absent if the list could be used. */
  failure?: { reason: string; detail: string };
}

/** The request for one list. */
export function listCall(field: ReconciliationField): OperatorCall {
  return { method: 'POST', path: ['reconciliation'], body: { field } };
}

/**
 * Requests a list as a reconciliation does, and judges it, but stores and applies nothing.
 *
 * @param limits.whole_ms when to give up, because a person waits. A reconciliation may take any time
 */
export async function tryList(
  client: Pick<OperatorClient, 'stream'>,
  field: ReconciliationField,
  {
    zone,
    clock,
    limits,
  }: { zone: string; clock: Clock; limits: { silence_ms: number; whole_ms: number; kept: number } },
): Promise<TriedList> {
  const asked_at = clock();
  const progress = { bytes: 0, ids_read: 0 };
  const pieces: Uint8Array[] = [];
  const tried = (status: number | null, failure?: TriedList['failure']): TriedList => ({
    status,
    start: Buffer.concat(pieces).subarray(0, limits.kept),
    bytes: progress.bytes,
    ids: progress.ids_read,
    ...(failure && { failure }),
  });
  const signal = AbortSignal.timeout(limits.whole_ms);
  try {
    const result = await client.stream(listCall(field), { silence_ms: limits.silence_ms, signal }, async (body) => {
      const written = await readAnswer(keepingStart(body, pieces, limits.kept), progress, async () => {});
      timeOfResult(written, { asked_at, now: clock(), zone, last: null });
    });
    if (signal.aborted && !result.answered) return tried(null, tooLong(limits.whole_ms));
    if (!result.answered) return tried(null, { reason: result.failure, detail: result.detail });
    if (result.ok) return tried(result.status);
    return tried(result.status, {
      reason: `status_${result.status}`,
      detail: `the operator answered ${result.status}`,
    });
  } catch (error) {
    if (error instanceof UnusableResult) return tried(200, { reason: error.reason, detail: error.message });
    throw error;
  }
}

function tooLong(ms: number) {
  return { reason: 'timeout', detail: `the list did not end within ${ms / 1_000} s` };
}

async function* keepingStart(body: AsyncIterable<Buffer>, pieces: Uint8Array[], most: number): AsyncGenerator<Buffer> {
  let kept = 0;
  for await (const piece of body) {
    if (kept < most) pieces.push(piece);
    kept += piece.length;
    yield piece;
  }
}
