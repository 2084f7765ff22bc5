import { type ChainHead, type Link, leavesOf, noSeal } from './link.ts';
import { rootOf } from './merkle.ts';

/*
 * Walks a chain from its first seal, recomputes every hash, and stops at the first difference from what was sealed. One
 * page of seals and one seal's rows are in memory at a time, regardless of the length of the chain. Rows and seals made
 * meanwhile do no harm, because it walks only to the seal that was the head when it began.
 */
const sealsOfPage = 20;

/** How one record is read. Ids of rows ascend with time, and are not consecutive. */
export interface SealedRecord<Row, Seal extends Link> {
  /** The word for rows in messages: `decisions`. */
  rows: string;
  readHead(): Promise<ChainHead | undefined>;
  /** The seals whose number is greater than `after` and at most `to`, in order. */
  readSeals(after: number, to: number): Promise<Seal[]>;
  hashOf(seal: Seal): Buffer;
  /** How many rows the seal says that it covers. */
  countOf(seal: Seal): number;
  readRows(ids: readonly number[]): Promise<Row[]>;
  idOf(row: Row): number;
  /** The difference of a row from its sealed hash; null if there is none. */
  alterationOf(row: Row, leaf: Buffer | undefined): string | null;
  /** The rows whose mark is this seal. */
  markedIds(sealNo: number): Promise<number[]>;
  /** The newest seal, and the newest seal in the mark of a row, as of one moment. */
  sealsMarked(): Promise<{ sealed: number; marked: number }>;
  /** The highest id of a row or a mark. */
  newestId(): Promise<number>;
  /** The first row without its mark, or the first mark without its row, whose id is greater than `after` and at most `to`. */
  strayRow(ids: { after: number; to: number }): Promise<{ id: number; is_there: boolean } | null>;
  /** The range of ids that one statement searches for strays. */
  idsOfStretch: number;
}

export type WalkKind =
  | 'altered_row'
  | 'missing_row'
  /** The row is marked with a seal that does not cover it, or it is in the table without a mark. */
  | 'inserted_row'
  | 'altered_seal'
  | 'missing_seal'
  /** The chain ends before the head that was recorded elsewhere, or before a seal that rows are marked with. */
  | 'missing_tail';

export interface WalkFinding {
  kind: WalkKind;
  seal_no: number | null;
  id: number | null;
  message: string;
}

export interface WalkReport {
  /** Null: no difference was found. */
  finding: WalkFinding | null;
  seals: number;
  rows: number;
  /** Where the walk ended. Record it elsewhere, and pass it as `expect` the next time. */
  head: ChainHead | null;
  /** The id up to which it searched for strays; null if the walk did not get that far. */
  searched_to: number | null;
  /** False: the time limit was reached, or a difference was found. Continue after `head`, and from `searched_to`. */
  complete: boolean;
}

export interface WalkOptions {
  /** Begin after this seal, whose hash an earlier walk reported. */
  after?: ChainHead | undefined;
  /** Search only after this id, which an earlier walk reported. */
  searched_to?: number | undefined;
  /** A head that was recorded earlier: it must still exist. */
  expect?: ChainHead | undefined;
  /** Ends the walk early, between two seals or two stretches of the search. */
  until?: (() => boolean) | undefined;
}

export async function walkChain<Row, Seal extends Link>(
  record: SealedRecord<Row, Seal>,
  options: WalkOptions = {},
): Promise<WalkReport> {
  const { after, expect, until = () => false, searched_to = null } = options;
  const end = (await record.readHead())?.seal_no ?? 0;
  const report: WalkReport = { finding: null, seals: 0, rows: 0, head: after ?? null, searched_to, complete: false };
  const reached = () => report.head?.seal_no ?? 0;
  while (reached() < end) {
    const page = await record.readSeals(reached(), Math.min(end, reached() + sealsOfPage));
    if (page.length === 0) return { ...report, finding: missingSeal(reached() + 1) };
    for (const seal of page) {
      if (until()) return report;
      const finding =
        checkSeal(record, seal, report.head, expect) ??
        checkRows(record, seal, await record.readRows(seal.ids)) ??
        checkMarks(seal, await record.markedIds(seal.seal_no));
      if (finding !== null) return { ...report, finding };
      report.seals++;
      report.rows += record.countOf(seal);
      report.head = { seal_no: seal.seal_no, hash: seal.hash };
    }
  }
  const finding = await checkEnd(record, report.head, expect);
  return finding === null ? searchStrays(record, report, until) : { ...report, finding };
}

/**
 * Searches for rows without marks and marks without rows, in stretches. For a large record, one statement over all rows
 * would take longer than a call may.
 */
async function searchStrays<Row, Seal extends Link>(
  record: SealedRecord<Row, Seal>,
  report: WalkReport,
  until: () => boolean,
): Promise<WalkReport> {
  const newest = await record.newestId();
  let searched = report.searched_to ?? 0;
  while (searched < newest) {
    if (until()) return { ...report, searched_to: searched };
    const to = Math.min(newest, searched + record.idsOfStretch);
    const stray = await record.strayRow({ after: searched, to });
    if (stray !== null) return { ...report, searched_to: searched, finding: strayFinding(stray) };
    searched = to;
  }
  return { ...report, searched_to: searched, complete: true };
}

function strayFinding({ id, is_there }: { id: number; is_there: boolean }): WalkFinding {
  const message = is_there
    ? 'is in the table, but was never marked for sealing'
    : 'was marked for sealing, but is missing';
  return { kind: is_there ? 'inserted_row' : 'missing_row', seal_no: null, id, message };
}

/** Checks the seal itself: its number, its link to the previous seal, its hash, its tree. Pure. */
function checkSeal<Row, Seal extends Link>(
  record: Pick<SealedRecord<Row, Seal>, 'rows' | 'hashOf' | 'countOf'>,
  seal: Seal,
  last: ChainHead | null,
  expect: ChainHead | undefined,
): WalkFinding | null {
  const { seal_no } = seal;
  const next = (last?.seal_no ?? 0) + 1;
  if (seal_no !== next) return missingSeal(next);
  const altered = (message: string): WalkFinding => ({ kind: 'altered_seal', seal_no, id: null, message });
  if (!seal.previous.equals(last?.hash ?? noSeal)) return altered('does not contain the hash of the previous seal');
  if (!seal.hash.equals(record.hashOf(seal))) return altered('its hash does not match its content');
  if (expect?.seal_no === seal_no && !expect.hash.equals(seal.hash)) {
    return altered('differs from the stored head');
  }
  const leaves = leavesOf(seal);
  const count = record.countOf(seal);
  if (leaves.length !== count || seal.ids.length !== count) {
    return altered(`lists ${seal.ids.length} ${record.rows} of ${count}`);
  }
  return rootOf(leaves).equals(seal.root) ? null : altered('its list of hashes does not match its root');
}

/** Checks the rows of a seal, which must be exactly those it lists. Pure. @param rows the rows in the table with the listed ids */
function checkRows<Row, Seal extends Link>(
  record: Pick<SealedRecord<Row, Seal>, 'idOf' | 'alterationOf'>,
  seal: Seal,
  rows: readonly Row[],
): WalkFinding | null {
  const { seal_no } = seal;
  const found = new Map(rows.map((row) => [record.idOf(row), row]));
  const leaves = leavesOf(seal);
  for (const [place, id] of seal.ids.entries()) {
    const row = found.get(id);
    if (row === undefined) return { kind: 'missing_row', seal_no, id, message: 'is sealed, but missing' };
    const message = record.alterationOf(row, leaves[place]);
    if (message !== null) return { kind: 'altered_row', seal_no, id, message };
  }
  return null;
}

/** Checks the marks of rows against the seal. Pure. */
function checkMarks(seal: Link, marked: readonly number[]): WalkFinding | null {
  const { seal_no } = seal;
  const listed = new Set(seal.ids);
  const inserted = marked.find((id) => !listed.has(id));
  if (inserted !== undefined) {
    const message = 'is marked as part of a seal that does not cover it';
    return { kind: 'inserted_row', seal_no, id: inserted, message };
  }
  const marks = new Set(marked);
  const unmarked = seal.ids.find((id) => !marks.has(id));
  if (unmarked === undefined) return null;
  return { kind: 'altered_row', seal_no, id: unmarked, message: 'is sealed, but is not marked as part of its seal' };
}

async function checkEnd<Row, Seal extends Link>(
  record: SealedRecord<Row, Seal>,
  head: ChainHead | null,
  expect: ChainHead | undefined,
): Promise<WalkFinding | null> {
  const last = head?.seal_no ?? 0;
  const tail = { kind: 'missing_tail', seal_no: last + 1, id: null } as const;
  if (expect !== undefined && expect.seal_no > last) {
    return { ...tail, message: `the chain ends at seal ${last}, but the stored head is seal ${expect.seal_no}` };
  }
  const { sealed, marked } = await record.sealsMarked();
  if (marked <= sealed) return null;
  return {
    ...tail,
    message: `${record.rows} are marked as part of seal ${marked}, but the chain ends at seal ${sealed}`,
  };
}

function missingSeal(seal_no: number): WalkFinding {
  return { kind: 'missing_seal', seal_no, id: null, message: 'is missing, although later seals exist' };
}
