import type { Micros } from '@croupier/contracts';
import { timestamptzText } from '../../database/index.ts';
import { type ChainHead, type Link, leafHash, nextLink, sealTextHash } from '../../sealing/index.ts';

/*
 * The staff audit is sealed like the decisions of the gate (sealing/README.md): entries in batches, each seal with
 * the hash of the previous one. There is one chain for the whole installation, for two reasons: accounts belong to no
 * brand, and with one chain per brand, a person could hide entries by leaving out a brand.
 */

/** An entry as stored, with the text of its details. */
export interface SealedEntry {
  audit_id: number;
  at: Micros;
  account_id: number | null;
  actor: string;
  brand_id: number | null;
  action: string;
  subject: string;
  details: string;
}

export interface AuditSeal extends Link {
  entries: number;
  sealed_at: Micros;
}

/** The leaf of an entry. docs/guides/accounts.md documents the text. If you change the text, increase its version, the "1". */
export function leafOfEntry(entry: SealedEntry): Buffer {
  const { audit_id, at, account_id, actor, brand_id, action, subject, details } = entry;
  const moment = timestamptzText(at);
  return leafHash(
    JSON.stringify(['croupier audit 1', audit_id, moment, account_id, actor, brand_id, action, subject, details]),
  );
}

/** @param entries by audit_id, ascending; at least one */
export function auditSealOf(
  entries: readonly SealedEntry[],
  last: ChainHead | undefined,
  sealed_at: Micros,
): AuditSeal {
  const own = { entries: entries.length, sealed_at };
  const leaves = entries.map((entry) => ({ id: entry.audit_id, leaf: leafOfEntry(entry) }));
  return { ...own, ...nextLink(leaves, last, (link) => auditSealHash({ ...own, ...link })) };
}

export function auditSealHash(
  seal: Pick<AuditSeal, 'seal_no' | 'entries' | 'root' | 'previous' | 'sealed_at'>,
): Buffer {
  const { seal_no, entries, root, previous, sealed_at } = seal;
  return sealTextHash(
    JSON.stringify([
      'croupier audit seal 1',
      seal_no,
      entries,
      root.toString('hex'),
      previous.toString('hex'),
      timestamptzText(sealed_at),
    ]),
  );
}
