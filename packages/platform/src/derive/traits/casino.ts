import type { Ranking } from '../totals/index.ts';
import { productTraits } from './products.ts';
import type { Trait } from './trait.ts';
import { count } from './wording.ts';

const ties = ['real_bet_sum', 'bonus_bet_sum', 'locked_bet_sum'];
const byGame: Ranking = { name: 'game', group: ['vendor_id', 'game_id'], most: 'bet_count', ties };
const byVendor: Ranking = { name: 'vendor', group: ['vendor_id'], most: 'bet_count', ties };

function favourite(what: 'game' | 'vendor', ranking: Ranking, show: string): Trait {
  return {
    name: `casino_favourite_${what}`,
    kind: 'text',
    unit: 'id',
    windows: 'favourite',
    meaning: `The casino ${what} that the player bets in most often.`,
    formula: `${show} with the most casino bets; ties by the sum of the bets, then by the id`,
    source: { from: 'favourite', family: 'casino', ranking, show },
  };
}

export const casinoTraits: readonly Trait[] = [
  ...productTraits({
    prefix: 'casino_',
    families: ['casino'],
    product: 'the casino',
    bets: 'casino events of type Bet in force; 1 per round of which only a gameround message with a bet is known',
    wins: 'casino events of type Win in force; 1 per round of which only a gameround message with a win is known',
  }),
  count(
    {
      name: 'casino_round_count',
      meaning: 'Number of casino rounds.',
      formula: 'count of rounds (vendor_id, game_id, round_id), at their first activity',
    },
    'casino.round_count',
  ),
  favourite('game', byGame, 'game_id'),
  favourite('vendor', byVendor, 'vendor_id'),
];
