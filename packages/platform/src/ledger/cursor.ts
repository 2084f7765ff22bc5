import type { Bucket, Cursor } from './ledger.ts';

/*
 * A cursor contains one position per writer. Each writer alone numbers and commits its blocks, in order. So "all up to
 * number n of writer w" is a complete statement, even if other writers or transactions of the server are open
 * (docs/reference/design.md 2.4). Each connection of an api process is a new writer. `floor` keeps the cursor
 * small: every writer up to it is closed and fully read.
 */
export interface Positions {
  floor: number;
  /** writer_id -> the last block read: its UTC day (the partition to continue in) and its number. */
  at: Record<string, [day: string, seq: number]>;
  /**
   * Present while the reader reads packed days: every slice up to this number is read. It only makes the search for the next slice faster;
   * `floor` and `at` define what was read, in packs as well as in blocks.
   */
  slice?: number;
}

export interface Writer {
  writer_id: number;
  /** Events up to this number are in packs, later ones in blocks. */
  packed_seq: number;
  /** Last number of a writer whose connection is closed; null while it may continue. */
  closed_seq: number | null;
}

export const beginning = toCursor({ floor: 0, at: {} });

export function toCursor(positions: Positions): Cursor {
  return positions as unknown as Cursor;
}

export function positionsOf(cursor: Cursor): Positions {
  return cursor as unknown as Positions;
}

/** True if the cursor is already past the block. */
export function isPast(positions: Positions, writerId: number, seq: number): boolean {
  if (writerId <= positions.floor) return true;
  const at = positions.at[writerId];
  return at !== undefined && at[1] >= seq;
}

/**
 * True if `positions` covers everything that `other` covers. A cursor does not contain where a writer ended. So the function may return
 * false although the cursor has read a closed writer to its end: its floor may not include that writer yet.
 */
export function isAtLeast(positions: Positions, other: Positions): boolean {
  if (positions.floor < other.floor) return false;
  return Object.entries(other.at).every(([id, [, seq]]) => isPast(positions, Number(id), seq));
}

/** True if some of what follows the cursor is packed, so that its reader must read packs before blocks. */
export function isInPacks(positions: Positions, { writers }: WriterList): boolean {
  return (
    positions.slice !== undefined ||
    writers.some(({ writer_id, packed_seq }) => packed_seq > 0 && !isPast(positions, writer_id, packed_seq))
  );
}

/** The cursor after reading slices up to the given number, which ends there for each of its writers. */
export function moveOverSlice(
  positions: Positions,
  slice: { slice_id: number; day: string; ends: Iterable<{ writer_id: number; seq: number }> },
): Positions {
  return {
    ...moveOver(
      positions,
      [...slice.ends].map((end) => ({ ...end, day: slice.day })),
    ),
    slice: slice.slice_id,
  };
}

/** The cursor after the last slice. From there on, its reader reads blocks. */
export function leavePacks(
  positions: Positions,
  ends: Iterable<{ writer_id: number; day: string; seq: number }>,
): Positions {
  const { slice: _, ...rest } = moveOver(positions, ends);
  return rest;
}

/** Like `moveTo`, but never moves a cursor backward. */
function moveOver(positions: Positions, ends: Iterable<{ writer_id: number; day: string; seq: number }>): Positions {
  return moveTo(
    positions,
    [...ends].filter(({ writer_id, seq }) => !isPast(positions, writer_id, seq)),
  );
}

/** The cursor after reading the given blocks. For each writer, the last block counts. */
export function moveTo(
  positions: Positions,
  blocks: Iterable<{ writer_id: number; day: string; seq: number }>,
): Positions {
  const at = { ...positions.at };
  for (const { writer_id, day, seq } of blocks) at[writer_id] = [day, seq];
  return { ...positions, at };
}

/**
 * All writers above an id, at some moment. Ids are assigned and committed one at a time (`openWriter` in store.ts), so
 * a writer that appears later has a higher id than all of them.
 */
export interface WriterList {
  above: number;
  writers: readonly Writer[];
}

/**
 * Raises the floor over writers that are closed and fully read, and forgets them. If the list does not reach down to
 * the floor, nothing changes: otherwise a writer in between could be skipped.
 */
export function forgetClosed(positions: Positions, { above, writers }: WriterList): Positions {
  if (above > positions.floor) return positions;
  let floor = positions.floor;
  for (const writer of [...writers].sort((a, b) => a.writer_id - b.writer_id)) {
    if (writer.writer_id <= floor) continue;
    const read = positions.at[writer.writer_id]?.[1] ?? 0;
    if (writer.closed_seq === null || read < writer.closed_seq) break;
    floor = Math.max(floor, writer.writer_id);
  }
  if (floor === positions.floor) return positions;
  const at = Object.fromEntries(Object.entries(positions.at).filter(([id]) => Number(id) > floor));
  return { ...positions, floor, at };
}

export interface CursorGroup {
  positions: Positions;
  buckets: Bucket[];
}

/**
 * Groups buckets with the same position, so that a block is fetched and unpacked once for all of them. Normally there
 * is one group. After a bucket changed owners or was delayed, there are a few groups.
 */
export function groupByPosition(cursors: ReadonlyMap<Bucket, Cursor>): CursorGroup[] {
  const groups = new Map<string, CursorGroup>();
  for (const [bucket, cursor] of cursors) {
    const positions = positionsOf(cursor);
    const key = keyOf(positions);
    const group = groups.get(key);
    if (group) group.buckets.push(bucket);
    else groups.set(key, { positions, buckets: [bucket] });
  }
  return [...groups.values()];
}

/**
 * Returns, for each writer, how far a group may read at once: up to the position of the nearest group that is ahead. The group
 * then stops exactly there, and the two groups become one. A writer that is missing in the result has no bound.
 */
export function boundsOf(group: CursorGroup, groups: readonly CursorGroup[]): Map<number, number> {
  const bounds = new Map<number, number>();
  for (const other of groups) {
    if (other === group) continue;
    for (const [id, [, seq]] of Object.entries(other.positions.at)) {
      const writerId = Number(id);
      if (isPast(group.positions, writerId, seq)) continue;
      bounds.set(writerId, Math.min(bounds.get(writerId) ?? Number.MAX_SAFE_INTEGER, seq));
    }
  }
  return bounds;
}

function keyOf({ floor, at }: Positions): string {
  const writers = Object.keys(at)
    .map(Number)
    .filter((id) => id > floor)
    .sort((a, b) => a - b);
  return `${floor}|${writers.map((id) => `${id}:${at[id]?.[1]}`).join(',')}`;
}
