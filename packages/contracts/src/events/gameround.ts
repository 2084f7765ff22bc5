import { currency } from '../fields/currency.ts';
import { informational, optional } from '../fields/field.ts';
import { id } from '../fields/id.ts';
import { amount } from '../fields/money.ts';
import { openSet } from '../fields/set.ts';
import { label } from '../fields/text.ts';
import { origin, timestamp, userId } from './every-event.ts';
import { message } from './message.ts';

export const deviceTypes = ['mobile', 'desktop', 'app', 'unknown'] as const;
export const deviceType = openSet(deviceTypes, 'Device of the player.');

const userAmount = (of: string) => optional(amount(`${of}, in the user's currency.`));
const baseAmount = (of: string) => optional(amount(`${of}, in the base currency.`));

export const gameround = message({
  kind: 'gameround',
  fields: {
    user_id: userId,
    timestamp,
    round_id: id('Identifier of the game round.'),
    game_id: id('Identifier of the game.'),
    game_name: label('Name of the game.'),
    game_type: label('Type of the game, such as slots.'),
    vendor_id: id('Identifier of the game vendor.'),
    vendor_name: informational(label('Name of the game vendor.')),
    real_bet_user: userAmount('Real money bet'),
    real_win_user: userAmount('Real money won'),
    bonus_bet_user: userAmount('Bonus money bet'),
    bonus_win_user: userAmount('Bonus money won'),
    real_bet_base: baseAmount('Real money bet'),
    real_win_base: baseAmount('Real money won'),
    bonus_bet_base: baseAmount('Bonus money bet'),
    bonus_win_base: baseAmount('Bonus money won'),
    user_currency: currency("The user's currency."),
    device_type: deviceType,
    origin,
  },
  samples: {
    gameround: {
      user_id: '7865312321',
      timestamp: '2026-03-02T08:40:05Z',
      round_id: '55512',
      game_id: '8801',
      game_name: 'Lucky Lanterns',
      game_type: 'slots',
      vendor_id: '35',
      vendor_name: 'Example Games',
      real_bet_user: 1.5,
      real_win_user: 7.2,
      bonus_bet_user: 0.5,
      bonus_win_user: 0,
      real_bet_base: 1.5,
      real_win_base: 7.2,
      bonus_bet_base: 0.5,
      bonus_win_base: 0,
      user_currency: 'EUR',
      device_type: 'mobile',
      origin: 'www.example.com',
    },
  },
});
