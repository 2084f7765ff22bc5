import { awaitAll } from '../../../database/index.ts';
import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { totalsOf } from '../../totals/index.ts';
import { betKey } from './activity.ts';
import { arrivalOf, decide } from './decide.ts';
import { interestTotals } from './interests.ts';
import { activityTable, betTable, countedActivities, loadActivities, storedActivity, storedBet } from './store.ts';

export const sportsTotals = totalsOf({
  family: 'sports',
  by: ['sports_name'],
  counts: ['bet_count', 'win_count', 'settled_count', 'cashout_count', 'free_bet_count', 'live_bet_count'],
  sums: ['real_bet_sum', 'bonus_bet_sum', 'locked_bet_sum', 'real_win_sum', 'bonus_win_sum', 'locked_win_sum'],
  biggest: ['bet_biggest', 'win_biggest'],
  dated: ['bet', 'win'],
  facts: countedActivities,
});

/** Sports bets and what was paid on them: see README.md for their rules, bet.ts for the states of a bet. */
export const sports: Derivation = {
  family: 'sports',
  kinds: ['sports'],
  tables: [{ name: activityTable.name }, { name: betTable.name }, ...sportsTotals.tables, ...interestTotals.tables],
  totals: [sportsTotals, interestTotals],
  async apply(tx, events, context) {
    const arrivals = eventsOf(events, ['sports']).map(arrivalOf);
    const refs = arrivals.map(({ source, activity_key, version }) => {
      return { player_id: source.player_id, activity_key, bet_key: betKey(version.bet_id) };
    });
    const held = await loadActivities(tx, refs);
    const { activities, bets, gone, parts, interests, verdicts, resolved } = decide(held, arrivals);
    if (activities.length > 0) {
      await awaitAll([
        activityTable.save(
          tx,
          activities.map(({ activity, timeZone }) => storedActivity(activity, timeZone)),
        ),
        betTable.save(tx, bets.map(storedBet)),
        betTable.remove(tx, gone),
        sportsTotals.change(tx, parts, context),
        interestTotals.change(tx, interests, context),
      ]);
    }
    return { verdicts, resolved: resolved.map((orphans) => ({ ...orphans, kind: 'sports' })) };
  },
};

export type { Selection as BetSelection } from './activity.ts';
export { type Bet, type BetState, betStates } from './bet.ts';
export { betFieldsOf } from './bet-fields.ts';
export { type BetFilter, type ListedActivity, type ListedBet, listBets } from './list.ts';
export { betOfEvent } from './of-event.ts';
