import { favoriteOf } from './favorites.ts';
import { productTraits } from './products.ts';
import type { Trait } from './trait.ts';
import { count } from './wording.ts';

export const sportsTraits: readonly Trait[] = [
  ...productTraits({
    prefix: 'sports_',
    families: ['sports'],
    product: 'sports betting',
    bets: 'sports events of type Bet in force',
    wins: 'sports events of type Settlement in force with an amount',
  }),
  count(
    {
      name: 'sports_settled_count',
      meaning: 'Number of settled sports bets.',
      formula: 'count of bets with a settlement in force, each at the time of its first settlement',
    },
    'sports.settled_count',
  ),
  count(
    {
      name: 'sports_cashout_count',
      meaning: 'Number of cashouts of sports bets.',
      formula: 'count of settlements in force with is_cashout',
    },
    'sports.cashout_count',
  ),
  count(
    {
      name: 'sports_free_bet_count',
      meaning: 'Number of free sports bets.',
      formula: 'count of bets with is_free_bet in every selection',
    },
    'sports.free_bet_count',
  ),
  count(
    {
      name: 'sports_live_bet_count',
      meaning: 'Number of live sports bets.',
      formula: 'count of bets with is_live in at least one selection',
    },
    'sports.live_bet_count',
  ),
  favoriteOf('sports', 'sports_name', {
    name: 'sports_favorite_sport',
    meaning: 'The sport that the player bets on most often.',
    bets: 'sports bets (a bet counts for the name that most of its selections have, or for the first of them in a tie)',
  }),
  favoriteOf(
    'sports_interest',
    'league',
    {
      name: 'sports_favorite_league',
      meaning: 'The league or tournament that the player bets on most often.',
      bets: 'sports bets (a bet counts for the tournament_name that most of its selections have, or for the first of them in a tie)',
    },
    ['stake_sum'],
  ),
  favoriteOf(
    'sports_interest',
    'team',
    {
      name: 'sports_favorite_team',
      meaning: 'The team whose matches the player bets on most often.',
      bets: 'sports bets (a bet counts for both teams of each match that a selection names in event_name, as "A - B", "A vs B" or "A @ B")',
    },
    ['stake_sum'],
  ),
];
