import { dayOf } from '@croupier/contracts';
import { inBase } from '../../money.ts';
import { type Part, totalsOf } from '../../totals/index.ts';
import { type Activity, inForce, type Selection } from './activity.ts';
import { betActivity } from './bet.ts';
import { mostNamed } from './sport.ts';

/**
 * How often a player bets on a league and on a team: one row for each, with the other column empty. It is separate from
 * `sportsTotals`, because a bet counts with two teams, so these rows do not add up to the bets of the player
 * (docs/decisions/0809).
 */
export const interestTotals = totalsOf({
  family: 'sports_interest',
  by: ['league', 'team'],
  counts: ['bet_count'],
  sums: ['stake_sum'],
  biggest: [],
  dated: [],
  // No extremes are read again.
  facts: `select player_id, at, day, ''::text as league, ''::text as team from bet where counted`,
});

/**
 * Maximum number of teams counted for one bet, in the order of the selections. A system bet on hundreds of matches shows little interest in
 * any one team.
 */
const mostTeams = 20;

/** What a bet adds to the totals: nothing unless its Bet is in force. */
export function interestParts(activities: readonly Activity[], timeZone: string): Part[] {
  const bet = betActivity(activities);
  const stake = bet === undefined ? undefined : inForce(bet);
  if (bet === undefined || stake === undefined) return [];
  const { timestamp: at, amount, exchange_rate, details } = stake;
  const selections = details?.selections ?? [];
  const league = mostNamed(selections.map(({ tournament_name = '' }) => tournament_name));
  const of = [
    ...(league === '' ? [] : [{ league, team: '' }]),
    ...teamsOf(selections).map((team) => ({ league: '', team })),
  ];
  const amounts = { counts: { bet_count: 1 }, sums: { stake_sum: inBase(amount, exchange_rate) } };
  const day = dayOf(timeZone, at);
  return of.map((by) => ({ player_id: bet.player_id, at, day, by, ...amounts }));
}

function teamsOf(selections: readonly Selection[]): string[] {
  const teams = selections.flatMap(({ event_name = '' }) => teamsOfEvent(event_name));
  return [...new Set(teams)].slice(0, mostTeams);
}

/** "Northport - Southport" is a match of two teams. An event name of another form contains no teams. */
export function teamsOfEvent(name: string): string[] {
  const teams = name.split(/ +(?:[-–—@]|vs?\.?) +/i).map((team) => team.trim());
  return teams.length === 2 && teams.every((team) => team !== '') ? teams : [];
}
