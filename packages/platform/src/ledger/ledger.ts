import type { EventKind, Micros } from '@croupier/contracts';

/** A bucket is the unit of order and of ownership: hash(brand, user_id) mod 64 (docs/reference/design.md 3). */
export type Bucket = number;
export const bucketCount = 64;

/** What ingest hands to the ledger: one validated event, with its body exactly as the operator sent it. */
export interface LedgerEntry {
  brand_id: number;
  kind: EventKind;
  /** First 8 bytes of SHA-256(brand_id, user_id), unsigned; the bucket is its value mod 64. See `playerHash`. */
  player_hash: bigint;
  received_at: Micros;
  body: Buffer;
}

/** Where an event stands in the ledger. Only the ledger orders positions; others keep them to find the event again. */
export interface LedgerPosition {
  writer_id: number;
  /** Number of the block within its writer: 1, 2, 3, ... without gaps. */
  seq: number;
  /** Place of the event within its block, from 0. */
  index: number;
}

/** A position that somebody looks for. */
export interface SoughtPosition extends LedgerPosition {
  /** The player's bucket where it is known: an event of a packed day is then looked for in 1 place instead of 64. */
  bucket?: Bucket | undefined;
}

export interface LedgerEvent extends LedgerEntry {
  position: LedgerPosition;
  bucket: Bucket;
}

/** How far a reader of one bucket has come. Opaque to everyone but the ledger; JSON, so that it can be stored. */
export type Cursor = { readonly __cursor: unique symbol };

/** What one read gives for one bucket: its events, possibly none, and the cursor behind them. */
export interface BucketRead {
  bucket: Bucket;
  events: LedgerEvent[];
  cursor: Cursor;
}

/** What became of a search for positions; those in neither list are no longer kept. */
export interface Found {
  events: LedgerEvent[];
  /** What holds them cannot be read: a damaged page, or a kind that a newer version wrote. */
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
 * The durable, replayable record of what operators published. `append` promises durability, never uniqueness
 * (derive removes duplicates), and a cursor is opaque, so that another implementation can take its place (docs/reference/design.md 3).
 */
export interface Ledger {
  /** The cursor that stands before the first event ever kept. */
  readonly beginning: Cursor;
  /** Opens the one writer of this process. Numbers of blocks are given by its only committing connection. */
  openWriter(): Promise<LedgerWriter>;
  /**
   * Reads what follows each bucket's cursor, in the order of its writers, never skipping an event that commits later.
   * Returns an entry for each bucket whose cursor moves, also when it has no event there. At most about `limit` events in all.
   */
  read(cursors: ReadonlyMap<Bucket, Cursor>, limit: number): Promise<BucketRead[]>;
  /** Everything that matches, oldest block first, in pages. Not a snapshot: it ends at what was committed when it got there. */
  history(filter: HistoryFilter): AsyncIterable<LedgerEvent[]>;
  /** Newest first; `before` is the opaque token that the last page returned. Scans at most a bounded number of blocks. */
  newest(
    filter: HistoryFilter,
    limit: number,
    before?: string,
  ): Promise<{ events: LedgerEvent[]; next: string | null }>;
  /** Events at the given positions; one that is no longer kept is left out. */
  at(positions: readonly SoughtPosition[]): Promise<LedgerEvent[]>;
  /** The same, and which of the others are kept, but damaged: they can perhaps be read later. */
  find(positions: readonly SoughtPosition[]): Promise<Found>;
  /** True when a reader whose cursor this is has been given the event at the position (if it is of the reader's bucket). */
  covers(cursor: Cursor, position: LedgerPosition): boolean;
  /** True when `cursor` is known to cover everything that `other` covers. May lag behind the truth by some reads. */
  reaches(cursor: Cursor, other: Cursor): boolean;
  /**
   * How many blocks with events of these buckets follow their cursors (the most of any bucket), and since when. Where days
   * are packed, what lies in one piece counts as one block.
   */
  lag(cursors: ReadonlyMap<Bucket, Cursor>): Promise<{ blocks: number; oldest_received_at: Micros | null }>;
  /** Of what is kept, how much nobody can read at the moment, in blocks. For alarms. */
  damagedBlocks(): Promise<number>;
  /** What becomes of days that are over. */
  readonly days: LedgerHistory;
  /** Takes single events out, for good. */
  readonly eraser: LedgerEraser;
}

export interface LedgerWriter {
  /** Resolves when all entries are durable (committed with fsync). On rejection the outcome is unknown: they may be there. */
  append(entries: readonly LedgerEntry[]): Promise<void>;
  close(): Promise<void>;
}

/** A UTC day of the writers' clocks, as text: `2026-05-01`. */
export type Day = string;

/**
 * - open: writers may add to it; not yet over for an hour
 * - closed: over, at least partly still in the form in which it was written
 * - packed: all of it is packed, at a tenth of the room
 */
export type LedgerDayState = 'open' | 'closed' | 'packed';

export interface LedgerDay {
  day: Day;
  state: LedgerDayState;
  /** Null until the day is packed: counting what lies in blocks would read all of them. */
  events: number | null;
  /** On the disk, indexes included. */
  bytes: number;
}

/**
 * Why a day is left as it is, for now:
 * - open: it is not over yet
 * - earlier_day: an earlier day has blocks that are not packed; days are packed and dropped oldest first
 * - not_derived: a bucket's stored cursor stands before the end of the day
 * - busy: a long reader holds the history (`hold`), or another process packs or drops
 * - too_young: it does not lie before the day that the caller named (drop only)
 * - grown: it holds more events than the caller has dealt with (drop only)
 */
export type DayRefusal = 'open' | 'earlier_day' | 'not_derived' | 'busy' | 'too_young' | 'grown';

export type PackOutcome =
  | { outcome: 'packed'; events: number; bytes: number; unreadable_blocks: number }
  | { outcome: 'refused'; reason: DayRefusal };

export type DropOutcome =
  /** Of a day that was dropped before, or never had events, `events` is 0. Blocks that nobody could read went with it. */
  { outcome: 'dropped'; events: number; unreadable_blocks: number } | { outcome: 'refused'; reason: DayRefusal };

/**
 * What becomes of days that are over. Nothing happens by itself: the caller decides when. Each call may be repeated, also
 * after a crash in the middle of it, and then goes on where it stopped.
 */
export interface LedgerHistory {
  /** Every day of which something is kept, oldest first. */
  days(): Promise<LedgerDay[]>;
  /**
   * Packs a day that is over. Readers see each of its events once, before, during and after. What a late writer adds
   * to a packed day is read as usual, makes the day `closed` again, and is packed by the next call.
   *
   * @param pause called after each slice (a second of one core), so that the live pipeline can have the machine for a while
   */
  pack(day: Day, signal?: AbortSignal, pause?: () => Promise<void>): Promise<PackOutcome>;
  /** Everything that is kept of a day, packed or not, each event once, in pages of bounded size and of no particular order. */
  readDay(day: Day): AsyncIterable<LedgerEvent[]>;
  /**
   * Forgets a day, and all that belongs to it, if it is over and lies before `before`. Cursors that stand before it step over it.
   *
   * @param options.events how many events of the day the caller has dealt with; given, a day that has more by now stays
   */
  drop(day: Day, options: { before: Day; events?: number }): Promise<DropOutcome>;
  /** Keeps every day as it is (neither packed nor dropped) until it is disposed of. Any number of readers may hold at once. */
  hold(): Promise<AsyncDisposable>;
}

export interface Erased {
  events: number;
  blocks: number;
  packs: number;
  /** Blocks and packs that cannot be read, and so not searched either. */
  unreadable: number;
}

export interface ErasureOptions {
  /**
   * Called with events before they go, so that what others keep about them can go first. After a crash it is called again for those that were
   * still there.
   */
  beforeErased?: (events: readonly LedgerEvent[]) => Promise<void>;
  signal?: AbortSignal;
}

/**
 * Takes single events out of the ledger, for good. The others stay where they are, and so do all cursors: a reader in the middle goes on, and
 * finds what it has not read yet without the events. 'busy' while a day is packed or dropped: nothing has happened then.
 */
export interface LedgerEraser {
  /**
   * Takes out every event of a player, packed or not. Called again, also after a crash, it goes over what is left.
   *
   * @param player.isTheirs decides by the body, because two players may share a hash
   */
  erasePlayer(
    player: { brand_id: number; player_hash: bigint; isTheirs: (event: LedgerEvent) => boolean },
    options?: ErasureOptions,
  ): Promise<Erased | 'busy'>;
  /** Takes events out of the blocks at these places, whether they are packed by now or not. */
  eraseAt(
    places: readonly (Omit<LedgerPosition, 'index'> & { bucket: Bucket })[],
    which: (event: LedgerEvent) => boolean,
    options?: ErasureOptions,
  ): Promise<Erased | 'busy'>;
  /** What was erased leaves the disk too. Costs what was changed since the last call; for many erasures it is called once. */
  purge(): Promise<void>;
}
