import type { Micros } from '@croupier/contracts';
import type { JudgedBlock, JudgedConsent } from '../../judging/index.ts';
import type { OpenItem } from './item.ts';
import { maxRewrites } from './rewrite.ts';

/*
 * A look-up may return the operator's value while a change of the platform is still being written to the operator. This file decides
 * which value counts, separately for each type. It is a table of three questions:
 *
 *   what was changed   firm: a withdrawal, or a block that was set. It protects the player. Only a look-up requested after
 *                            the operator had stored it and confirmed it once can undo it.
 *                      weak: an opt-in. It holds for a day while it is being written. Once it is stored,
 *                            a negative answer of the operator wins.
 *                      loose: a block that was removed. It never counts alone: only a look-up may lift protection
 *                            (docs/reference/decisions.md 4).
 *   its stage          unstored; stored, and this look-up was requested before or after that; contradicted (firm, and the
 *                      operator kept saying the opposite); kept (a block that is not sent to the operator); in doubt, or
 *                      contradicted in doubt: the same while an earlier write that wanted the opposite may still take
 *                      effect; seen: that time is over, and a look-up within it had said the same.
 *   the look-up says   the same, the opposite, or nothing clear: neither true nor false, or the type is not listed.
 *
 * A write without a clear answer (a timeout, a cut, a 5xx, a worker that died) may wait in a queue of the operator. It may then
 * take effect long after the withdrawal that followed it was stored and confirmed. So for `lateWritesFor` after such an opt-in,
 * one confirmation does not settle a withdrawal: if a look-up says "opted in", that write is taken to be the cause, and the
 * withdrawal is written again. The cost: if a player opts in at the operator within that time, the consent is withdrawn there
 * again.
 *
 * "Before or after" does not compare clocks, which differ between machines and can step. Storing a change requests a look-up in
 * the same transaction. Only a look-up that answers this request, or a later one, was certainly requested after it.
 */

/**
 * - hold: the change holds; the look-up's value is ignored.
 * - rewrite: the same, and the change is written to the operator again.
 * - contradict: the same, and a person has to look.
 * - watch: the same, and the operator's value confirmed the change.
 * - decide: the look-up's value is used; the change stays open.
 * - confirm, overrule: the look-up's value is used and ends the change.
 */
export type Verdict = 'hold' | 'rewrite' | 'contradict' | 'watch' | 'decide' | 'confirm' | 'overrule';

export type Strength = 'firm' | 'weak' | 'loose';
export type Stage =
  | 'unstored'
  | 'overdue'
  | 'asked_before'
  | 'asked_after'
  | 'in_doubt'
  | 'seen'
  | 'contradicted'
  | 'contradicted_in_doubt'
  | 'kept';
export type Said = 'same' | 'opposite' | 'unclear';

/**
 * How long an opt-in that is not stored holds against look-ups. If an operator refuses it for longer than a day, the refusal
 * counts.
 */
export const optInHoldsFor: Micros = 24 * 3_600_000_000;

/** How long a write of unknown outcome may still take effect. Queues and nightly repairs of operators finish within a day. */
export const lateWritesFor: Micros = 24 * 3_600_000_000;

const holds = { same: 'hold', opposite: 'hold', unclear: 'hold' } as const;
const decides = { same: 'decide', opposite: 'decide', unclear: 'decide' } as const;
const wins = { same: 'confirm', opposite: 'overrule', unclear: 'decide' } as const;

/** For a stage that a strength cannot reach, the table repeats the verdicts of its unstored change: hold or decide. */
export const verdicts: Record<Strength, Record<Stage, Record<Said, Verdict>>> = {
  firm: {
    unstored: holds,
    overdue: holds,
    asked_before: holds,
    asked_after: { same: 'confirm', opposite: 'rewrite', unclear: 'hold' },
    in_doubt: { same: 'watch', opposite: 'rewrite', unclear: 'hold' },
    seen: wins,
    // A person may have corrected it at the operator.
    contradicted: { same: 'confirm', opposite: 'hold', unclear: 'hold' },
    contradicted_in_doubt: { same: 'watch', opposite: 'hold', unclear: 'hold' },
    kept: holds,
  },
  weak: {
    unstored: holds,
    overdue: { same: 'decide', opposite: 'overrule', unclear: 'decide' },
    asked_before: holds,
    asked_after: wins,
    in_doubt: wins,
    seen: wins,
    contradicted: holds,
    contradicted_in_doubt: holds,
    kept: holds,
  },
  loose: {
    unstored: decides,
    overdue: decides,
    asked_before: decides,
    asked_after: wins,
    in_doubt: wins,
    seen: wins,
    contradicted: decides,
    contradicted_in_doubt: decides,
    kept: decides,
  },
};

/** When a look-up was requested: the number of the request that it answers, and the time. */
export interface AskedWhen {
  request: number;
  asked_at: Micros;
}

/** @param said the look-up's value for the type; null if nothing clear */
export function judgeOwnChange(item: OpenItem, said: boolean | null, asked: AskedWhen): Verdict {
  const answer = said === null ? 'unclear' : said === item.wanted ? 'same' : 'opposite';
  const verdict = verdicts[strengthOf(item)][stageOf(item, asked)][answer];
  return verdict === 'rewrite' && item.rewrites >= maxRewrites ? 'contradict' : verdict;
}

export function strengthOf({ record, wanted }: Pick<OpenItem, 'record' | 'wanted'>): Strength {
  if (record === 'consents') return wanted ? 'weak' : 'firm';
  return wanted ? 'firm' : 'loose';
}

function stageOf(item: OpenItem, { request, asked_at }: AskedWhen): Stage {
  const after = item.confirm_request !== null && request >= item.confirm_request;
  const inDoubt = item.late_until !== null && asked_at <= item.late_until;
  switch (item.state) {
    case 'kept':
      return 'kept';
    case 'contradicted':
      if (!after) return 'asked_before';
      return inDoubt ? 'contradicted_in_doubt' : 'contradicted';
    case 'stored':
      if (!after) return 'asked_before';
      if (inDoubt) return 'in_doubt';
      return item.seen ? 'seen' : 'asked_after';
    case 'pending':
    case 'sending':
      return asked_at - item.changed_at > optInHoldsFor ? 'overdue' : 'unstored';
  }
}

/** Whether the look-up's value for the type is ignored. */
export function isHeld(verdict: Verdict): boolean {
  return verdict === 'hold' || verdict === 'rewrite' || verdict === 'contradict' || verdict === 'watch';
}

/** The value of a type in a consents record; null if nothing clear. */
export function consentSaid(consents: readonly JudgedConsent[], typeKey: string): boolean | null {
  return consents.find(({ type_key }) => type_key === typeKey)?.opted_in ?? null;
}

/** The same for a blocks record. A type that is not listed is not in force, unless an item could not be read. */
export function blockSaid(
  { blocks, unreadable_items }: { blocks: readonly JudgedBlock[]; unreadable_items: boolean },
  typeKey: string,
): boolean | null {
  const item = blocks.find(({ type_key }) => type_key === typeKey);
  if (item !== undefined) return item.active;
  return unreadable_items ? null : false;
}
