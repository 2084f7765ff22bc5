import type { LedgerPosition } from '../../ledger/index.ts';

/** A position in the ledger as text: `3-1207-14` = writer 3, block 1207, event 14. */
export function positionText({ writer_id, seq, index }: LedgerPosition): string {
  return `${writer_id}-${seq}-${index}`;
}

/** Null if the text is not a position. */
export function readPosition(text: string): LedgerPosition | null {
  const match = /^(\d{1,10})-(\d{1,15})-(\d{1,9})$/.exec(text);
  if (match === null) return null;
  const [writer_id, seq, index] = match.slice(1).map(Number) as [number, number, number];
  return { writer_id, seq, index };
}
