import type { EventKind, Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { DerivedEvent } from './event.ts';
import type { Totals } from './totals/index.ts';
import type { Verdict } from './verdict.ts';

/** A table of derived state. Its key starts with player_id, and no column depends on arrival. */
export interface DerivedTable {
  name: string;
  /**
   * For tables whose old rows are deleted: the column, or an SQL expression over columns, that determines a row's age.
   */
  ages_by?: string;
  /**
   * A column that is never later than `ages_by`, with an index on player_id and this column. It limits the search for
   * old rows.
   */
  index_bound?: string;
  /**
   * How long the rows of a table with `ages_by` are kept:
   * - hours (default): for `hoursKept`. Old rows may have been deleted on only one side of a comparison, so only newer rows are
   *   compared
   * - history: as long as the ledger keeps events that could affect them (history/README.md). Live state and baseline
   *   delete them in one transaction, so all of them are compared
   */
  kept_for?: 'hours' | 'history';
  /**
   * For a table whose rows point to rows of another table, `table`, that is kept for the history. A row is deleted when no row with the
   * same values in the columns `by` is left in `table`. `by` and `found_by` together are the key of the table with the pointers. All
   * these columns are bigint.
   */
  goes_with?: { readonly table: string; readonly by: readonly string[]; readonly found_by: string };
}

/**
 * One family of facts and the totals over them: the pattern that every kind of event follows.
 *
 * `apply` updates the facts of the batch's players. It loads what it needs with one statement per table, decides with
 * pure functions, and writes with one statement per table. It works in the derived schema of the connection's
 * search_path, so a rebuild runs the same code next to the live state.
 *
 * Every derivation guarantees that its rows are a function of the *set* of events that it was given, whatever their
 * order, repetition and batch boundaries (docs/reference/design.md 2.3). The `*.prop.test.ts` of each family compares it with a
 * plain recomputation.
 */
export interface Derivation {
  readonly family: string;
  readonly kinds: readonly EventKind[];
  readonly tables: readonly DerivedTable[];
  /** The totals of the family. Their tables per player are listed in `tables`, their roll-ups are not. */
  readonly totals?: readonly Totals[];
  /**
   * True if the family's rows belong to no player. Then batches of other lanes and workers write the same rows. So the family is applied
   * last, because a lock on such a row lasts until the commit.
   */
  readonly isShared?: true;
  apply(tx: ClientBase, events: readonly DerivedEvent[], context: BatchContext): Promise<Outcome>;
}

export interface BatchContext {
  now: Micros;
  /**
   * The lowest bucket that the writing worker owns. Rows that sum over all players of a brand exist once per source, so
   * that two workers never wait for each other on such a row. Readers add them up.
   */
  source: number;
}

export interface Outcome {
  /** Verdicts other than `applied`. */
  verdicts: ReadonlyMap<DerivedEvent, Verdict>;
  /** Orphans of earlier batches whose counterpart came with this batch, by their kind. */
  resolved?: readonly { brand_id: number; kind: EventKind; orphans: number }[];
  /**
   * From families whose facts are kept only for the history: per player, the oldest fact that the batch read. An event
   * in the ledger may need that fact in a rebuild, so the fact is not deleted before the event's day is.
   */
  oldest?: ReadonlyMap<number, Micros>;
}
