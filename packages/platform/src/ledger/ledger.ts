import type { EventKind, Micros } from '@croupier/contracts';

/** A bucket is the unit of order and of ownership: hash(brand, user_id) mod 64 (docs/reference/design.md 3). */
export type Bucket = number;
export const bucketCount = 64;

/** What ingest passes to the ledger: one validated event, with its body exactly as the operator sent it. */
export interface LedgerEntry {
  brand_id: number;
  kind: EventKind;
  /** First 8 bytes of SHA-256(brand_id, user_id), unsigned; the bucket is its value mod 64. See `playerHash`. */
  player_hash: bigint;
  received_at: Micros;
  body: Buffer;
}

/**
 * The position of an event in the ledger. Only the ledger compares positions; others store them to find the event
 * again.
 */
export interface LedgerPosition {
  writer_id: number;
  /** Number of the block within its writer: 1, 2, 3, ... without gaps. */
  seq: number;
  /** Place of the event within its block, from 0. */
  index: number;
}

/** A position to look up. */
export interface SoughtPosition extends LedgerPosition {
  /** The player's bucket if known: then an event of a packed day is searched in one pack instead of 64. */
  bucket?: Bucket | undefined;
}

export interface LedgerEvent extends LedgerEntry {
  position: LedgerPosition;
  bucket: Bucket;
}

/** How far a reader of one bucket has read. Only the ledger interprets it. It is JSON, so that it can be stored. */
export type Cursor = { readonly __cursor: unique symbol };

/** What one read returns for one bucket: its events, possibly none, and the cursor after them. */
export interface BucketRead {
  bucket: Bucket;
  events: LedgerEvent[];
  cursor: Cursor;
}

/** The result of looking up positions. A position in neither list is no longer in the ledger. */
export interface Found {
  events: LedgerEvent[];
  /** Their block or pack cannot be read: a damaged page, or a kind that a newer version wrote. */
  damaged: LedgerPosition[];
}

export interface HistoryFilter {
  brand_id?: number;
  buckets?: readonly Bucket[];
  player_hash?: bigint;
  kinds?: readonly EventKind[];
  /** Bounds of `received_at`, both inclusive. */
  from?: Micros;
  to?: Micros;
}

/**
 * The durable, replayable record of what operators published. `append` guarantees durability, but not uniqueness
 * (derive removes duplicates). Cursors are opaque, so that another implementation can replace this one
 * (docs/reference/design.md 3).
 */
export interface Ledger {
  /** The cursor before the first event. */
  readonly beginning: Cursor;
  /** Opens the one writer of this process. Its single committing connection numbers the blocks. */
  openWriter(): Promise<LedgerWriter>;
  /**
   * Reads what follows each bucket's cursor, in the order of its writers, and never skips an event that commits later.
   * Returns an entry for each bucket whose cursor moves, even if it has no event there. Returns about `limit` events in
   * total at most.
   */
  read(cursors: ReadonlyMap<Bucket, Cursor>, limit: number): Promise<BucketRead[]>;
  /**
   * All matching events, oldest block first, in pages. This is not a snapshot: it includes events that are committed
   * while it reads, until it reaches the end.
   */
  history(filter: HistoryFilter): AsyncIterable<LedgerEvent[]>;
  /** Newest first; `before` is the opaque token that the last page returned. It scans a limited number of blocks. */
  newest(
    filter: HistoryFilter,
    limit: number,
    before?: string,
  ): Promise<{ events: LedgerEvent[]; next: string | null }>;
  /** The events at the given positions. Events that are no longer in the ledger are left out. */
  at(positions: readonly SoughtPosition[]): Promise<LedgerEvent[]>;
  /** Like `at`, and also returns which of the others exist but are damaged: they may become readable later. */
  find(positions: readonly SoughtPosition[]): Promise<Found>;
  /**
   * True if a reader with this cursor has received the event at the position (provided that it belongs to the reader's
   * bucket).
   */
  covers(cursor: Cursor, position: LedgerPosition): boolean;
  /** True if `cursor` is known to cover everything that `other` covers. The answer may be late by a few reads. */
  reaches(cursor: Cursor, other: Cursor): boolean;
  /**
   * The number of blocks with events of a bucket after its cursor (the maximum over these buckets), and when the oldest of these blocks was
   * received. In packed days one slice counts as one block.
   */
  lag(cursors: ReadonlyMap<Bucket, Cursor>): Promise<{ blocks: number; oldest_received_at: Micros | null }>;
  /** The number of blocks in the ledger that are currently unreadable. For alarms. */
  damagedBlocks(): Promise<number>;
  /** Packs and drops days that are over. */
  readonly days: LedgerHistory;
  /** Permanently removes single events. */
  readonly eraser: LedgerEraser;
}

export interface LedgerWriter {
  /**
   * Resolves when all entries are durable (committed with fsync). If it rejects the outcome is unknown: they may have
   * been stored.
   */
  append(entries: readonly LedgerEntry[]): Promise<void>;
  close(): Promise<void>;
}

/** A UTC day of the writers' clocks, as text: `2026-05-01`. */
export type Day = string;

/**
 * - open: writers may add to it; it ended less than an hour ago, or has not ended
 * - closed: it is over, and at least partly still in the form in which it was written
 * - packed: all of it is packed, in a tenth of the space
 */
export type LedgerDayState = 'open' | 'closed' | 'packed';

export interface LedgerDay {
  day: Day;
  state: LedgerDayState;
  /** Null until the day is packed, because counting events in blocks would read all of them. */
  events: number | null;
  /** Size on the disk, including indexes. */
  bytes: number;
}

/**
 * Why a day cannot be packed or dropped for now:
 * - open: it is not over yet
 * - earlier_day: an earlier day has blocks that are not packed; days are packed and dropped oldest first
 * - not_derived: a bucket's stored cursor is before the end of the day
 * - busy: a long reader holds the history (`hold`), or another process packs or drops
 * - too_young: it is not before the day that the caller gave (drop only)
 * - grown: it contains more events than the caller has processed (drop only)
 */
export type DayRefusal = 'open' | 'earlier_day' | 'not_derived' | 'busy' | 'too_young' | 'grown';

export type PackOutcome =
  | { outcome: 'packed'; events: number; bytes: number; unreadable_blocks: number }
  | { outcome: 'refused'; reason: DayRefusal };

export type DropOutcome =
  /** `events` is 0 for a day that was dropped earlier or never had events. Unreadable blocks were dropped with it. */
  { outcome: 'dropped'; events: number; unreadable_blocks: number } | { outcome: 'refused'; reason: DayRefusal };

/**
 * Packs and drops days that are over. Nothing happens automatically: the caller decides when. Each call may be
 * repeated, even after a crash in the middle of it, and then continues where it stopped.
 */
export interface LedgerHistory {
  /** Every day with stored data, oldest first. */
  days(): Promise<LedgerDay[]>;
  /**
   * Packs a day that is over. Readers see each of its events once, before, during and after packing. What a late writer
   * adds to a packed day is read as usual, makes the day `closed` again, and is packed by the next call.
   *
   * @param pause called after each slice (one second of one core), so that the live pipeline can use the machine for a
   *   while
   */
  pack(day: Day, signal?: AbortSignal, pause?: () => Promise<void>): Promise<PackOutcome>;
  /**
   * Everything stored of a day, packed or not, each event once, in pages of limited size and in no particular order.
   */
  readDay(day: Day): AsyncIterable<LedgerEvent[]>;
  /**
   * Deletes a day and everything that belongs to it, if it is over and before `before`. Cursors before it skip it.
   *
   * @param options.events the number of events of the day that the caller has processed; if given, a day with more
   *   events is kept
   */
  drop(day: Day, options: { before: Day; events?: number }): Promise<DropOutcome>;
  /** Prevents every day from being packed or dropped until the hold is disposed. Any number of readers may hold at once. */
  hold(): Promise<AsyncDisposable>;
}

export interface Erased {
  events: number;
  blocks: number;
  packs: number;
  /** Blocks and packs that cannot be read, and therefore were not searched. */
  unreadable: number;
}

export interface ErasureOptions {
  /**
   * Called with events before they are erased, so that other stages can delete their data about them first. After a
   * crash it is called again for those not erased yet.
   */
  beforeErased?: (events: readonly LedgerEvent[]) => Promise<void>;
  signal?: AbortSignal;
}

/**
 * Permanently removes single events from the ledger. Other events keep their positions, and all cursors stay valid: a
 * reader in the middle continues, and the part that it has not read yet no longer contains the events. Returns 'busy' while a day is packed
 * or dropped; then nothing has changed.
 */
export interface LedgerEraser {
  /**
   * Removes every event of a player, packed or not. A repeated call, also after a crash, processes what is left.
   *
   * @param player.isTheirs decides by the body, because two players may share a hash
   */
  erasePlayer(
    player: { brand_id: number; player_hash: bigint; isTheirs: (event: LedgerEvent) => boolean },
    options?: ErasureOptions,
  ): Promise<Erased | 'busy'>;
  /** Removes events from the blocks at these places, whether the blocks are packed by now or not. */
  eraseAt(
    places: readonly (Omit<LedgerPosition, 'index'> & { bucket: Bucket })[],
    which: (event: LedgerEvent) => boolean,
    options?: ErasureOptions,
  ): Promise<Erased | 'busy'>;
  /**
   * Removes erased data from the disk. It costs as much as was changed since the last call, so call it once for many
   * erasures.
   */
  purge(): Promise<void>;
}
