import type { EventKind, Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { DerivedEvent } from './event.ts';
import type { Totals } from './totals/index.ts';
import type { Verdict } from './verdict.ts';

/** A table of derived state. All of them lead with player_id and hold nothing that depends on arrival. */
export interface DerivedTable {
  name: string;
  /** For tables whose old rows are removed: the column, or an SQL expression over columns, by which they age. */
  ages_by?: string;
  /** A column that is never later than `ages_by`, with an index that leads with player_id and it: bounds the search for old rows. */
  index_bound?: string;
  /**
   * How long the rows of a table with `ages_by` are kept:
   * - hours (default): `hoursKept`. Two sides may have been pruned at different moments, so only young rows are compared
   * - history: as long as the ledger keeps events that could touch them (history/README.md). Live and baseline lose them in one
   *   transaction, so all of them are compared
   */
  kept_for?: 'hours' | 'history';
  /**
   * For rows that point to rows of a table kept for the history: they go when no row with the same `by` is left there. `by` and
   * `found_by` are their key, and all columns are bigint.
   */
  goes_with?: { readonly table: string; readonly by: readonly string[]; readonly found_by: string };
}

/**
 * One family of facts and what is counted of them: the pattern that every kind of event follows.
 *
 * `apply` brings the facts of the batch's players up to date: it loads what it needs with one statement per table,
 * decides with pure functions, and writes with one statement per table. It works in the derived schema that the
 * connection's search_path names, so a rebuild runs the very same code beside the live state.
 *
 * The promise that makes it a derivation: the rows it leaves are a function of the *set* of events that it was ever
 * given, whatever their order, their repetition and the borders of batches (docs/reference/design.md 2.3). `family.prop.test.ts` proves
 * it against a plain recomputation.
 */
export interface Derivation {
  readonly family: string;
  readonly kinds: readonly EventKind[];
  readonly tables: readonly DerivedTable[];
  /** What it keeps totals of; their tables per player are among `tables`, their roll-ups are not. */
  readonly totals?: readonly Totals[];
  apply(tx: ClientBase, events: readonly DerivedEvent[], context: BatchContext): Promise<Outcome>;
}

export interface BatchContext {
  now: Micros;
  /**
   * The lowest bucket that the writing worker owns. Rows that sum over all players of a brand are kept once per source, so
   * that two workers never wait for each other on such a row; who reads them adds them up.
   */
  source: number;
}

export interface Outcome {
  /** Verdicts that are not `applied`. */
  verdicts: ReadonlyMap<DerivedEvent, Verdict>;
  /** Orphans of earlier batches whose counterpart came with this one, by their kind. */
  resolved?: readonly { brand_id: number; kind: EventKind; orphans: number }[];
  /**
   * From families with facts that are kept for the history only: by player, the oldest fact that the batch has looked at. An event
   * that is in the ledger may meet it again in a rebuild, so it is not removed before the event's day is.
   */
  oldest?: ReadonlyMap<number, Micros>;
}
