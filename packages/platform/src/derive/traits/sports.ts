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
      formula: 'count of bets whose selections are all is_free_bet',
    },
    'sports.free_bet_count',
  ),
  count(
    {
      name: 'sports_live_bet_count',
      meaning: 'Number of live sports bets.',
      formula: 'count of bets with an is_live selection',
    },
    'sports.live_bet_count',
  ),
  favoriteOf('sports', 'sports_name', {
    name: 'sports_favorite_sport',
    meaning: 'The sport that the player bets on most often.',
    bets: 'sports bets, each with the sport that most of its selections name (the first of several)',
  }),
  favoriteOf(
    'sports_interest',
    'league',
    {
      name: 'sports_favorite_league',
      meaning: 'The league or tournament that the player bets on most often.',
      bets: 'sports bets, each with the tournament_name that most of its selections have (the first of several)',
    },
    ['stake_sum'],
  ),
  favoriteOf(
    'sports_interest',
    'team',
    {
      name: 'sports_favorite_team',
      meaning: 'The team whose matches the player bets on most often.',
      bets: 'sports bets, each with both teams of the matches that its selections name as event_name ("A - B", "A vs B", "A @ B")',
    },
    ['stake_sum'],
  ),
];
