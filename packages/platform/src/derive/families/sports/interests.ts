import { dayOf } from '@croupier/contracts';
import { inBase } from '../../money.ts';
import { type Part, totalsOf } from '../../totals/index.ts';
import { type Activity, inForce, type Selection } from './activity.ts';
import { theBet } from './bet.ts';
import { mostNamed } from './sport.ts';

/**
 * How often a player bets on a league and on a team: one row for each, the other column of which is empty. Apart from `sportsTotals`, because a
 * bet counts with two teams, so these rows do not add up to the bets of the player (docs/decisions/0809).
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

/** Teams of one bet that count at most, those named first: a system of hundreds of matches says little of any of them. */
const mostTeams = 20;

/** What a bet adds: nothing unless its Bet is in force. */
export function interestParts(activities: readonly Activity[], timeZone: string): Part[] {
  const bet = theBet(activities);
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

/** "Northport - Southport" is a match of two teams; an event of another form names none. */
export function teamsOfEvent(name: string): string[] {
  const teams = name.split(/ +(?:[-–—@]|vs?\.?) +/i).map((team) => team.trim());
  return teams.length === 2 && teams.every((team) => team !== '') ? teams : [];
}
