import type { EventKind, Micros } from '@croupier/contracts';
import type { Catalogue, Dependencies, PlayerView, Rule, SqlSource } from '@croupier/rules';
import type { ClientBase, Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';

/** SQL of a condition on a column of player_ids: which players a statement is about. */
export type PlayerScope = (column: string) => string;

/** How the rules of one brand find what they ask for. */
export interface BrandRules {
  readonly catalogue: Catalogue;
  /** @param scope joins hold these players only */
  source(scope: PlayerScope): SqlSource;
  /** @param rules what they ask for is loaded */
  loadViews(
    db: Pool | ClientBase,
    asked: { players: readonly number[]; rules: readonly Rule[]; at: Micros },
  ): Promise<ReadonlyMap<number, PlayerView>>;
}

/** What news can be of: events of the ledger by their kind, and what the platform itself does to players. */
export type NewsKind = EventKind | 'message' | 'offer';

export interface RuleReading {
  /** @param fields named by rules that are about to be read: one that is newer than what is known of the brand is looked for */
  of(brand: Brand, fields?: Iterable<string>): Promise<BrandRules>;
  /** Kinds of news that can change what a rule asks for. */
  kindsOf(needs: Dependencies): ReadonlySet<NewsKind>;
  /** Whether a rule asks for anything of which the operator's records may be the source: what does not follow from events alone. */
  readsRecords(needs: Dependencies): boolean;
}
