import { factReading } from './fact.ts';

const result = 'trim_scale(win_sum - bet_sum)';

export const round = (baseCurrency: string) =>
  factReading({
    name: 'round',
    title: 'casino rounds',
    meaning:
      'Rounds of casino games, at their first activity. Rounds that were completely rolled back do not count. Rounds are kept as long as the history: `history_days` of the configuration.',
    from: 'round',
    inForce: 'counted',
    at: 'first_at',
    columns: {
      vendor_id: ['text', 'the vendor'],
      game_id: ['text', 'the game'],
      round_id: ['text', 'the round id'],
      status: ['text', 'the status', `case when closed then 'closed' else 'open' end`],
      source: [
        'text',
        'the source',
        `case when not from_gameround then 'casino' when not from_casino then 'gameround' else 'both' end`,
      ],
      first_at: ['moment', 'its time'],
      last_at: ['moment', 'its last activity'],
      bet_count: ['number', 'the number of bets', 'bet_count::numeric'],
      win_count: ['number', 'the number of wins', 'win_count::numeric'],
      base_bet: ['amount', 'the bet', 'case when not unpriced then bet_sum end'],
      base_win: ['amount', 'the win', 'case when not unpriced then win_sum end'],
      base_result: ['amount', 'the result (win - bet)', `case when not unpriced then ${result} end`],
      multiplier: [
        'number',
        'the multiplier (win / bet)',
        'case when not unpriced and bet_sum <> 0 then trim_scale(round(div(win_sum * 100000, bet_sum) * 0.00001, 4)) end',
      ],
      unpriced: ['flag', 'without amounts'],
    },
    baseCurrency,
  });
