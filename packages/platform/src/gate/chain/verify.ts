import type { Pool } from 'pg';
import {
  type ChainHead,
  type SealedRecord,
  type WalkFinding,
  type WalkKind,
  type WalkOptions,
  walkChain,
} from '../../sealing/index.ts';
import { type DecisionRow, hasItsInputs, leafOf } from './leaf.ts';
import { type Seal, sealHash } from './seal.ts';
import { readHead } from './seal-store.ts';
import { decisionsOfSeal, markedIds, newestNumber, readSeals, sealsMarked, strayDecision } from './verify-store.ts';

/*
 * Verifies the chain of a brand (sealing/walk.ts).
 */

/**
 * The range of decision_id that one statement reads. It contains at most 50,000 decisions, because only one of 64 ids is used for a
 * decision. Such a statement takes about 100 ms.
 */
const idsOfStretch = 50_000 * 64;

const kindOf = {
  altered_row: 'altered_decision',
  missing_row: 'missing_decision',
  /** The decision is marked with a seal that does not cover it, or it is in the table although the gate did not make it. */
  inserted_row: 'inserted_decision',
  altered_seal: 'altered_seal',
  missing_seal: 'missing_seal',
  /** The chain ends before the head that was recorded elsewhere, or before a seal that decisions are marked with. */
  missing_tail: 'missing_tail',
} as const satisfies Record<WalkKind, string>;
export type FindingKind = (typeof kindOf)[WalkKind];
export const findingKinds: readonly FindingKind[] = Object.values(kindOf);

export interface ChainFinding {
  kind: FindingKind;
  seal_no: number | null;
  decision_id: number | null;
  message: string;
}

export interface ChainReport {
  /** Null: no difference was found. */
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
  /** False: the time limit was reached, or a difference was found. Continue after `head`, and from `searched_to`. */
  complete: boolean;
}

export async function verifyChain(pool: Pool, brandId: number, options: WalkOptions = {}): Promise<ChainReport> {
  const { finding, rows, ...report } = await walkChain(decisionsOf(pool, brandId), options);
  return { ...report, decisions: rows, finding: finding && inDecisions(finding) };
}

function inDecisions({ kind, seal_no, id, message }: WalkFinding): ChainFinding {
  return { kind: kindOf[kind], seal_no, decision_id: id, message };
}

function decisionsOf(pool: Pool, brandId: number): SealedRecord<DecisionRow, Seal> {
  return {
    rows: 'decisions',
    idsOfStretch,
    readHead: () => readHead(pool, brandId),
    readSeals: (after, to) => readSeals(pool, brandId, after, to),
    hashOf: sealHash,
    countOf: ({ decisions }) => decisions,
    readRows: (ids) => decisionsOfSeal(pool, ids),
    idOf: ({ decision_id }) => decision_id,
    alterationOf(row, leaf) {
      if (!leaf?.equals(leafOf(row))) return 'is not what was sealed';
      return hasItsInputs(row) ? null : 'its inputs differ from the sealed inputs';
    },
    markedIds: (sealNo) => markedIds(pool, brandId, sealNo),
    sealsMarked: () => sealsMarked(pool, brandId),
    newestId: () => newestNumber(pool),
    strayRow: (ids) => strayDecision(pool, brandId, ids),
  };
}
