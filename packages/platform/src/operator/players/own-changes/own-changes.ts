import type { Micros } from '@croupier/contracts';
import type { JudgedBlock, JudgedConsent } from '../../calling/index.ts';
import type { OpenItem } from './item.ts';
import { maxRewrites } from './rewrite.ts';

/*
 * A look-up brings what the operator says while a change made here is still on its way into the operator's books. This file
 * decides whose word counts, for each type by itself. It is a table of three questions:
 *
 *   what was changed   firm: a withdrawal, or a block that was set. It protects the player, and nothing undoes it but a
 *                            look-up asked after the operator had stored it and confirmed it once.
 *                      weak: an opt-in. It stands while it is on its way, for a day; once stored, the operator's no wins.
 *                      loose: a block taken away. It never stands by itself: a look-up alone may loosen (docs/reference/decisions.md 4).
 *   how far it is      unstored; stored, and this look-up was asked before or after that; contradicted (firm, and the
 *                      operator went on saying the opposite); kept (a block that the operator is not told of); in
 *                      doubt, or contradicted in doubt: the same while an earlier write that wanted the opposite may
 *                      come late; seen: that time is over, and a look-up within it had said the same.
 *   what was said      the same, the opposite, or nothing clear: neither true nor false, or the type is not named.
 *
 * A write that got no clear answer (a timeout, a cut, a 5xx, a worker that died) may lie in a queue of the operator's and
 * take effect long after the withdrawal that followed it was stored and confirmed. So for `lateWritesFor` after such an opt-in
 * one confirmation does not settle a withdrawal: a look-up that says "opted in" is taken for that write, and the withdrawal
 * is written again. The price: a player who opts in at the operator within that time is withdrawn there once more.
 *
 * "Asked before or after" is no matter of clocks, which differ between machines and step: storing asks for a look-up in
 * the same transaction, and only one that answers this request, or a later one, was certainly asked after it.
 */

/**
 * hold: the change stands, the look-up's word is left out. rewrite, contradict: the same, and the operator is told again, or
 * a person has to look. watch: the same, and it was seen in the operator's books. decide: the look-up's word goes in, the change stays open. confirm, overrule: it goes in and ends
 * the change.
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

/** So long an opt-in that is not stored holds against look-ups. An operator who refuses it for longer than a day means no. */
export const optInHoldsFor: Micros = 24 * 3_600_000_000;

/** So long a write of unknown outcome may still take effect. Queues and nightly repairs of operators are done within a day. */
export const lateWritesFor: Micros = 24 * 3_600_000_000;

const holds = { same: 'hold', opposite: 'hold', unclear: 'hold' } as const;
const decides = { same: 'decide', opposite: 'decide', unclear: 'decide' } as const;
const wins = { same: 'confirm', opposite: 'overrule', unclear: 'decide' } as const;

/** Stages that a strength cannot reach hold, or decide, as its unstored change does. */
export const verdicts: Record<Strength, Record<Stage, Record<Said, Verdict>>> = {
  firm: {
    unstored: holds,
    overdue: holds,
    asked_before: holds,
    asked_after: { same: 'confirm', opposite: 'rewrite', unclear: 'hold' },
    in_doubt: { same: 'watch', opposite: 'rewrite', unclear: 'hold' },
    seen: wins,
    // A person may have put it right at the operator.
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

/** When a look-up was asked: the request it answers, and the time. */
export interface AskedWhen {
  request: number;
  asked_at: Micros;
}

/** @param said what the look-up says of the type; null: nothing clear. */
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

/** Types of which the look-up's word is left out. */
export function isHeld(verdict: Verdict): boolean {
  return verdict === 'hold' || verdict === 'rewrite' || verdict === 'contradict' || verdict === 'watch';
}

/** What a consents record says of a type; null: nothing clear. */
export function consentSaid(consents: readonly JudgedConsent[], typeKey: string): boolean | null {
  return consents.find(({ type_key }) => type_key === typeKey)?.opted_in ?? null;
}

/** The same of a blocks record, where a type that is not listed is not in force, unless an item could not be read. */
export function blockSaid(
  { blocks, unreadable_items }: { blocks: readonly JudgedBlock[]; unreadable_items: boolean },
  typeKey: string,
): boolean | null {
  const item = blocks.find(({ type_key }) => type_key === typeKey);
  if (item !== undefined) return item.active;
  return unreadable_items ? null : false;
}
