import type { Pool } from 'pg';
import { type ChainHead, type SealedRecord, type WalkKind, type WalkOptions, walkChain } from '../../sealing/index.ts';
import { type AuditSeal, auditSealHash, leafOfEntry, type SealedEntry } from './seal.ts';
import {
  auditSealsMarked,
  markedEntries,
  newestEntry,
  readAuditHead,
  readAuditSeals,
  readEntries,
  strayEntry,
} from './seal-store.ts';

/** Verifies the chain of the staff audit (sealing/walk.ts). */

const idsOfStretch = 50_000;

const kindOf = {
  altered_row: 'altered_entry',
  missing_row: 'missing_entry',
  inserted_row: 'inserted_entry',
  altered_seal: 'altered_seal',
  missing_seal: 'missing_seal',
  missing_tail: 'missing_tail',
} as const satisfies Record<WalkKind, string>;
export type AuditFindingKind = (typeof kindOf)[WalkKind];
export const auditFindingKinds: readonly AuditFindingKind[] = Object.values(kindOf);

export interface AuditChainReport {
  /** Null: no difference was found. */
  finding: { kind: AuditFindingKind; seal_no: number | null; audit_id: number | null; message: string } | null;
  seals: number;
  entries: number;
  head: ChainHead | null;
  /** The audit_id up to which it searched for unsealed entries. */
  searched_to: number | null;
  /** False: the time limit was reached, or a difference was found. Continue after `head`, and from `searched_to`. */
  complete: boolean;
}

export async function verifyAudit(pool: Pool, options: WalkOptions = {}): Promise<AuditChainReport> {
  const { finding, rows, ...report } = await walkChain(entriesOf(pool), options);
  if (finding === null) return { ...report, entries: rows, finding };
  const { kind, id, ...found } = finding;
  return { ...report, entries: rows, finding: { ...found, kind: kindOf[kind], audit_id: id } };
}

function entriesOf(pool: Pool): SealedRecord<SealedEntry, AuditSeal> {
  return {
    rows: 'entries',
    idsOfStretch,
    readHead: () => readAuditHead(pool),
    readSeals: (after, to) => readAuditSeals(pool, after, to),
    hashOf: auditSealHash,
    countOf: ({ entries }) => entries,
    readRows: (ids) => readEntries(pool, ids),
    idOf: ({ audit_id }) => audit_id,
    alterationOf: (entry, leaf) => (leaf?.equals(leafOfEntry(entry)) ? null : 'is not what was sealed'),
    markedIds: (sealNo) => markedEntries(pool, sealNo),
    sealsMarked: () => auditSealsMarked(pool),
    newestId: () => newestEntry(pool),
    strayRow: (ids) => strayEntry(pool, ids),
  };
}
