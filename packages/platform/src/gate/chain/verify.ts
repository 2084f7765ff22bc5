import type { Pool } from 'pg';
import { type DecisionRow, hasItsInputs, leafOf } from './leaf.ts';
import { rootOf } from './merkle.ts';
import { leavesOf, noSeal, type Seal, sealHash } from './seal.ts';
import { readHead } from './seal-store.ts';
import { decisionsOfSeal, markedIds, newestNumber, readSeals, sealsMarked, strayDecision } from './verify-store.ts';

/*
 * Walks the chain of a brand from its first seal, recomputes every hash, and stops at the first difference from what
 * was sealed. One page of seals and one seal's decisions are in memory at a time, whatever the length of the chain.
 * Decisions and seals made meanwhile do no harm: it walks to the head of the moment when it began.
 */
const sealsOfPage = 20;
/**
 * The range of decision_id that one statement reads: 50,000 decisions, because each has 64 ids to itself. About 100 ms.
 */
const idsOfStretch = 50_000 * 64;

export const findingKinds = [
  'altered_decision',
  'missing_decision',
  /** It is marked with a seal that does not cover it, or it is in the table although it never passed the gate. */
  'inserted_decision',
  'altered_seal',
  'missing_seal',
  /** The chain ends before the head that was recorded elsewhere, or before a seal that decisions are marked with. */
  'missing_tail',
] as const;
export type FindingKind = (typeof findingKinds)[number];

export interface ChainFinding {
  kind: FindingKind;
  seal_no: number | null;
  decision_id: number | null;
  message: string;
}

export interface ChainHead {
  seal_no: number;
  hash: Buffer;
}

export interface ChainReport {
  /** Null: everything that was checked is as it was sealed. */
  finding: ChainFinding | null;
  seals: number;
  decisions: number;
  /** Where the walk ended. Record it elsewhere, and pass it as `expect` the next time. */
  head: ChainHead | null;
  /**
   * The decision_id up to which it searched for decisions without marks and marks without decisions; null if the walk
   * did not get that far.
   */
  searched_to: number | null;
  /** False: the time was up, or something was found. Continue after `head`, and from `searched_to`. */
  complete: boolean;
}

export interface VerifyOptions {
  /** Begin after this seal, whose hash an earlier walk reported. */
  after?: ChainHead | undefined;
  /** Search only after this number, which an earlier walk reported. */
  searched_to?: number | undefined;
  /** A head that was recorded earlier: it must still exist. */
  expect?: ChainHead | undefined;
  /** Ends the walk early, between two seals or two stretches of the search. */
  until?: (() => boolean) | undefined;
}

export async function verifyChain(pool: Pool, brandId: number, options: VerifyOptions = {}): Promise<ChainReport> {
  const { after, expect, until = () => false, searched_to = null } = options;
  const end = (await readHead(pool, brandId))?.seal_no ?? 0;
  const report: ChainReport = {
    finding: null,
    seals: 0,
    decisions: 0,
    head: after ?? null,
    searched_to,
    complete: false,
  };
  while ((report.head?.seal_no ?? 0) < end) {
    const page = await readSeals(
      pool,
      brandId,
      report.head?.seal_no ?? 0,
      Math.min(end, (report.head?.seal_no ?? 0) + sealsOfPage),
    );
    if (page.length === 0) return { ...report, finding: missingSeal((report.head?.seal_no ?? 0) + 1) };
    for (const seal of page) {
      if (until()) return report;
      const finding =
        checkSeal(seal, report.head, expect) ??
        checkDecisions(seal, await decisionsOfSeal(pool, seal)) ??
        checkMarks(seal, await markedIds(pool, brandId, seal.seal_no));
      if (finding !== null) return { ...report, finding };
      report.seals++;
      report.decisions += seal.decisions;
      report.head = { seal_no: seal.seal_no, hash: seal.hash };
    }
  }
  const finding = await checkEnd(pool, brandId, report.head, expect);
  return finding === null ? searchStrays(pool, brandId, report, until) : { ...report, finding };
}

/**
 * Searches for decisions without marks and marks without decisions, in stretches: for a large brand one statement would
 * take longer than a call may.
 */
async function searchStrays(
  pool: Pool,
  brandId: number,
  report: ChainReport,
  until: () => boolean,
): Promise<ChainReport> {
  const newest = await newestNumber(pool);
  let searched = report.searched_to ?? 0;
  while (searched < newest) {
    if (until()) return { ...report, searched_to: searched };
    const to = Math.min(newest, searched + idsOfStretch);
    const stray = await strayDecision(pool, brandId, { after: searched, to });
    if (stray !== null) return { ...report, searched_to: searched, finding: strayFinding(stray) };
    searched = to;
  }
  return { ...report, searched_to: searched, complete: true };
}

function strayFinding({ decision_id, is_there }: { decision_id: number; is_there: boolean }): ChainFinding {
  const message = is_there ? 'is in the table without a mark for sealing' : 'was marked for sealing, and is missing';
  return { kind: is_there ? 'inserted_decision' : 'missing_decision', seal_no: null, decision_id, message };
}

/** Checks the seal itself: its number, its link to the previous seal, its hash, its tree. Pure. */
export function checkSeal(seal: Seal, last: ChainHead | null, expect: ChainHead | undefined): ChainFinding | null {
  const { seal_no } = seal;
  const next = (last?.seal_no ?? 0) + 1;
  if (seal_no !== next) return missingSeal(next);
  const altered = (message: string): ChainFinding => ({ kind: 'altered_seal', seal_no, decision_id: null, message });
  if (!seal.previous.equals(last?.hash ?? noSeal)) return altered('does not refer to the previous seal');
  if (!seal.hash.equals(sealHash(seal))) return altered('its hash does not match its content');
  if (expect?.seal_no === seal_no && !expect.hash.equals(seal.hash))
    return altered('is not the seal that was noted as head');
  const leaves = leavesOf(seal);
  if (leaves.length !== seal.decisions || seal.decision_ids.length !== seal.decisions) {
    return altered(`lists ${seal.decision_ids.length} decisions of ${seal.decisions}`);
  }
  return rootOf(leaves).equals(seal.root) ? null : altered('its listed hashes do not match its root');
}

/**
 * Checks its decisions, which must be exactly those it lists. Pure. @param rows the rows in the table with the listed
 * ids
 */
export function checkDecisions(seal: Seal, rows: readonly DecisionRow[]): ChainFinding | null {
  const { seal_no } = seal;
  const found = new Map(rows.map((row) => [row.decision_id, row]));
  const leaves = leavesOf(seal);
  for (const [place, decision_id] of seal.decision_ids.entries()) {
    const row = found.get(decision_id);
    if (row === undefined)
      return { kind: 'missing_decision', seal_no, decision_id, message: 'is sealed, and is missing' };
    const altered = (message: string): ChainFinding => ({ kind: 'altered_decision', seal_no, decision_id, message });
    if (!leaves[place]?.equals(leafOf(row))) return altered('was changed after sealing');
    if (!hasItsInputs(row)) return altered('its inputs were changed after sealing');
  }
  return null;
}

/** Checks the marks of decisions against the seal. Pure. */
export function checkMarks(seal: Seal, marked: readonly number[]): ChainFinding | null {
  const { seal_no } = seal;
  const listed = new Set(seal.decision_ids);
  const inserted = marked.find((id) => !listed.has(id));
  if (inserted !== undefined) {
    return {
      kind: 'inserted_decision',
      seal_no,
      decision_id: inserted,
      message: 'refers to a seal that does not cover it',
    };
  }
  const marks = new Set(marked);
  const unmarked = seal.decision_ids.find((id) => !marks.has(id));
  if (unmarked === undefined) return null;
  return {
    kind: 'altered_decision',
    seal_no,
    decision_id: unmarked,
    message: 'is sealed, and no longer refers to its seal',
  };
}

async function checkEnd(
  pool: Pool,
  brandId: number,
  head: ChainHead | null,
  expect: ChainHead | undefined,
): Promise<ChainFinding | null> {
  const last = head?.seal_no ?? 0;
  const tail = { kind: 'missing_tail', seal_no: last + 1, decision_id: null } as const;
  if (expect !== undefined && expect.seal_no > last) {
    return { ...tail, message: `the chain ends at seal ${last}, and seal ${expect.seal_no} was noted as head` };
  }
  const { sealed, marked } = await sealsMarked(pool, brandId);
  if (marked > sealed)
    return { ...tail, message: `decisions refer to seal ${marked}, but the chain ends at ${sealed}` };
  return null;
}

function missingSeal(seal_no: number): ChainFinding {
  return { kind: 'missing_seal', seal_no, decision_id: null, message: 'is missing, but later ones exist' };
}
