import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { leavesOf, proofOf } from '../../sealing/index.ts';
import type { DecisionRow } from '../chain/leaf.ts';
import type { Seal } from '../chain/seal.ts';
import { readHead } from '../chain/seal-store.ts';
import type { DecisionFilter } from '../reading/lists.ts';
import { csvHead, csvLine } from './csv.ts';
import { type ExportedRow, exportPage, sealsByNo } from './export-store.ts';
import { decisionLine, headLine, sealLine } from './json-lines.ts';

/*
 * Decisions of a player or a period for a regulator, oldest first, each with its proof. The proof is the seal that covers the
 * decision, and the steps from its hash to the seal's root (docs/guides/compliance.md explains how to check it).
 *
 * It reads page by page, each page in a separate statement, and passes rows on as it reads them. So an export of any
 * length needs the same memory, and no transaction stays open for a slow reader. Decisions made after the export began
 * are not included.
 */
const pageRows = 200;

export type ExportFormat = 'csv' | 'json_lines';

/** A decision, and its place in its seal; null if it is not sealed yet. */
export interface ProvenDecision {
  row: ExportedRow;
  proof: { seal: Seal; steps: ReturnType<typeof proofOf> } | null;
}

/** @param now includes decisions up to this time */
export async function* exportDecisions(
  pool: Pool,
  brandId: number,
  filter: DecisionFilter,
  format: ExportFormat,
  now: Micros,
): AsyncGenerator<string> {
  const head = await readHead(pool, brandId);
  const upTo = { ...filter, to: Math.min(filter.to ?? now, now) };
  const named = new Set<number>();
  let count = 0;
  let last: Pick<DecisionRow, 'decided_at' | 'decision_id'> | undefined;
  if (format === 'csv') yield csvHead;
  while (true) {
    const rows = await exportPage(pool, brandId, upTo, pageRows, last);
    if (rows.length > 0) yield await pageText(rows);
    count += rows.length;
    last = rows.at(-1);
    if (rows.length < pageRows) break;
  }
  if (format === 'json_lines') yield headLine({ brand_id: brandId, decisions: count, head });

  async function pageText(rows: readonly ExportedRow[]): Promise<string> {
    const seals = await sealsByNo(
      pool,
      brandId,
      rows.flatMap(({ seal_no }) => (seal_no === null ? [] : [seal_no])),
    );
    const lines = rows.map((row) => {
      const proven = prove(row, seals);
      return format === 'csv' ? csvLine(proven) : decisionLine(proven);
    });
    if (format === 'csv') return lines.join('');
    // Each seal is written once: a month of decisions of one player has about as many seals as decisions.
    const fresh = [...seals.values()].filter(({ seal_no }) => !named.has(seal_no));
    if (named.size > maxNamed) named.clear();
    for (const { seal_no } of fresh) named.add(seal_no);
    return [...fresh.map(sealLine), ...lines].join('');
  }
}

/** Maximum number of seals remembered as written. Beyond that some are written again, which does no harm. */
const maxNamed = 100_000;

function prove(row: ExportedRow, seals: ReadonlyMap<number, Seal>): ProvenDecision {
  const seal = row.seal_no === null ? undefined : seals.get(row.seal_no);
  const place = seal?.ids.indexOf(row.decision_id) ?? -1;
  if (seal === undefined || place < 0) return { row, proof: null };
  return { row, proof: { seal, steps: proofOf(leavesOf(seal), place) } };
}
