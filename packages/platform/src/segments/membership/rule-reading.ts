import type { EventKind, Micros } from '@croupier/contracts';
import type { Catalog, Dependencies, PlayerView, Rule, SqlSource } from '@croupier/rules';
import type { ClientBase } from 'pg';
import type { Brand } from '../../brands/index.ts';

/** SQL of a condition on a column of player_ids: the players that a statement is about. */
export type PlayerScope = (column: string) => string;

/** How the rules of one brand find their data. */
export interface BrandRules {
  readonly catalog: Catalog;
  /** @param scope joins contain only these players */
  source(scope: PlayerScope): SqlSource;
  /**
   * @param tx a transaction
   * @param asked.rules the data that they use is loaded
   */
  loadViews(
    tx: ClientBase,
    asked: { players: readonly number[]; rules: readonly Rule[]; at: Micros },
  ): Promise<ReadonlyMap<number, PlayerView>>;
}

/** The kinds of news: the kinds of events in the ledger, and actions of the platform on players. */
export type NewsKind = EventKind | 'message' | 'offer';

export interface RuleReading {
  /**
   * @param fields used by the rules to evaluate; the names of the brand are refreshed if one of the fields is unknown
   */
  of(brand: Brand, fields?: Iterable<string>): Promise<BrandRules>;
  /** Kinds of news that can change what a rule uses. */
  kindsOf(needs: Dependencies): ReadonlySet<NewsKind>;
  /**
   * True if a rule uses anything that may come from the operator's records, because it does not follow from events
   * alone.
   */
  readsRecords(needs: Dependencies): boolean;
}
