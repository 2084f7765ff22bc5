import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/** All SQL statements on bonus_attempt. */

export const attemptOutcomes = ['credited', 'rejected', 'unknown', 'retry', 'lost', 'unsent'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export interface AttemptRequest {
  method: string;
  path: string;
  /** The headers of the call, without credentials. */
  headers: Record<string, string>;
  body: unknown;
}

export interface NewAttempt {
  intent_id: string;
  attempt_no: number;
  player_id: number;
  decision_id: number;
  claim: number;
  process: string;
  started_at: Micros;
  request: AttemptRequest;
}

export async function insertAttempt(tx: ClientBase, attempt: NewAttempt): Promise<void> {
  await tx.query({
    name: 'insert_bonus_attempt',
    text: `insert into bonus_attempt (intent_id, attempt_no, player_id, decision_id, claim, process, started_at, request)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      attempt.intent_id,
      attempt.attempt_no,
      attempt.player_id,
      attempt.decision_id,
      attempt.claim,
      attempt.process,
      timestamptzText(attempt.started_at),
      JSON.stringify(attempt.request),
    ],
  });
}

export interface AttemptEnd {
  outcome: AttemptOutcome;
  reason: string | null;
  detail: string | null;
  took_ms: number | null;
  ended_at: Micros;
  late: boolean;
  /** Null if no answer arrived. */
  answer: { status: number; body: string; cut: boolean } | null;
}

/** Ends an attempt that is open, or was given up as lost. Otherwise the first outcome is kept. @returns false if it was kept */
export async function endAttempt(
  tx: ClientBase,
  { intent_id, attempt_no }: Pick<NewAttempt, 'intent_id' | 'attempt_no'>,
  end: AttemptEnd,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'end_bonus_attempt',
    text: `update bonus_attempt
              set outcome = $3, reason = $4, detail = $5, took_ms = $6, ended_at = $7, late = $8,
                  answer_status = $9, answer_body = $10, answer_cut = $11
            where intent_id = $1 and attempt_no = $2 and (outcome is null or outcome = 'lost')`,
    values: [
      intent_id,
      attempt_no,
      end.outcome,
      end.reason,
      end.detail,
      end.took_ms === null ? null : Math.round(end.took_ms),
      timestamptzText(end.ended_at),
      end.late,
      end.answer?.status ?? null,
      end.answer?.body ?? null,
      end.answer?.cut ?? false,
    ],
  });
  return (rowCount ?? 0) > 0;
}

/** One stored call with its outcome; `outcome` is null while it is open. */
export interface Attempt extends Omit<AttemptEnd, 'outcome' | 'ended_at' | 'answer'> {
  attempt_no: number;
  outcome: AttemptOutcome | null;
  started_at: Micros;
  ended_at: Micros | null;
  decision_id: number | null;
  process: string;
  request: AttemptRequest;
  answer_status: number | null;
  answer_body: string | null;
  answer_cut: boolean;
}

export async function selectAttempts(db: Pool | ClientBase, intentId: string): Promise<Attempt[]> {
  const { rows } = await db.query<Attempt>(
    `select attempt_no, outcome, reason, detail, took_ms, late, started_at, ended_at, decision_id, process, request,
            answer_status, answer_body, answer_cut
       from bonus_attempt where intent_id = $1 order by attempt_no`,
    [intentId],
  );
  return rows;
}
