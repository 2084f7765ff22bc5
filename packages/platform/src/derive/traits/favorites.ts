import type { Ranking } from '../totals/index.ts';
import type { Trait } from './trait.ts';

/** The name or id that a player bets on most often, for a product whose totals are split by one column. */
export function favoriteOf(
  family: string,
  column: string,
  words: Pick<Trait, 'name' | 'meaning'> & { bets: string },
  ties: readonly string[] = ['real_bet_sum', 'bonus_bet_sum', 'locked_bet_sum'],
): Trait {
  const { name, meaning, bets } = words;
  const ranking: Ranking = { name: column, group: [column], most: 'bet_count', ties };
  return {
    name,
    meaning,
    kind: 'text',
    unit: 'id',
    windows: 'favorite',
    formula: `${column} with the most ${bets}; ties by the sum of the bets, then by the text; null if no bet has a name`,
    source: { from: 'favorite', family, ranking, show: column },
  };
}
