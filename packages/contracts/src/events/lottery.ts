import { currency } from '../fields/currency.ts';
import { informational, optional } from '../fields/field.ts';
import { id, numericId } from '../fields/id.ts';
import { integer } from '../fields/integer.ts';
import { amount, exchangeRate } from '../fields/money.ts';
import { list, record } from '../fields/record.ts';
import { closedSet } from '../fields/set.ts';
import { label } from '../fields/text.ts';
import { moment } from '../fields/timestamp.ts';
import { truth } from '../fields/truth.ts';
import { meta, origin, timestamp, userId } from './every-event.ts';
import { deviceType } from './gameround.ts';
import { message } from './message.ts';
import { normalizeRate } from './money-rules.ts';

export const lotteryTypes = ['Bet', 'Settlement'] as const;

const numbers = (description: string) => list(description, integer('A number.'));

/**
 * A line of a Bet or of a Settlement. Both have one schema, because lines of several messages are joined by line_id
 * (docs/reference/decisions.md 2.9).
 */
const line = record('One line of the ticket. The first five fields belong to a Bet, the last three to a Settlement.', {
  line_id: numericId('Identifier of the line.'),
  is_free_bet: optional(truth('True if the line is a free bet.')),
  numbers: informational(numbers('Numbers played.')),
  special_numbers: informational(numbers('Special numbers played.')),
  is_quick_pick: informational(truth('True if the numbers were picked at random.')),
  matched_numbers: informational(numbers('Numbers of the line that were drawn.')),
  matched_special_numbers: informational(numbers('Special numbers of the line that were drawn.')),
  is_winning_line: optional(truth('True if the line wins.')),
  meta,
});

export const lottery = message({
  kind: 'lottery',
  fields: {
    user_id: userId,
    timestamp,
    type: closedSet(lotteryTypes, 'Bet first, Settlement after.'),
    ticket_id: id('Identifier of the ticket.'),
    lottery_id: id('Identifier of the lottery.'),
    lottery_name: informational(label('Name of the lottery.')),
    lottery_type: informational(label('Type of the lottery.')),
    draw_id: id('Identifier of the draw.'),
    draw_date: moment('Time of the draw.'),
    draw_numbers: optional(numbers('Numbers drawn; required in a Settlement.')),
    draw_special_numbers: informational(numbers('Special numbers drawn.')),
    lines: list('Lines of the ticket.', line),
    amount: amount('Stake of a Bet, payout of a Settlement.'),
    discount_amount: optional(amount('Discount. It is not part of the amount.')),
    bonus_code: optional(id('Bonus code used.')),
    currency: currency('Currency of the amounts.'),
    exchange_rate: exchangeRate('Rate at the timestamp that converts the amounts to the base currency.'),
    device_type: informational(deviceType),
    origin,
    meta,
  },
  requiredWhen: { draw_numbers: { type: 'Settlement' } },
  across: normalizeRate,
  samples: {
    bet: {
      user_id: '7865312321',
      timestamp: '2026-03-02T12:05:00+01:00',
      type: 'Bet',
      ticket_id: 'tk-2',
      lottery_id: '7',
      lottery_name: 'Example Lotto',
      lottery_type: 'Lotto',
      draw_id: '2026-18',
      draw_date: '2026-03-04T20:00:00+01:00',
      lines: [
        {
          line_id: 1,
          is_free_bet: false,
          numbers: [3, 11, 19, 27, 35, 41],
          special_numbers: [7],
          is_quick_pick: false,
          meta: { color: 'blue' },
        },
      ],
      amount: 2.5,
      discount_amount: 0.5,
      bonus_code: '',
      currency: 'EUR',
      exchange_rate: 1,
      device_type: 'mobile',
      origin: 'www.example.com',
      meta: { subscription: true, weeks: 4, channel: 'web' },
    },
    settlement: {
      user_id: '7865312321',
      timestamp: '2026-03-04T20:15:00+01:00',
      type: 'Settlement',
      ticket_id: 'tk-2',
      lottery_id: '7',
      lottery_name: 'Example Lotto',
      lottery_type: 'Lotto',
      draw_id: '2026-18',
      draw_date: '2026-03-04T20:00:00+01:00',
      draw_numbers: [3, 11, 20, 28, 35, 40],
      draw_special_numbers: [7],
      lines: [
        { line_id: 1, matched_numbers: [3, 11, 35], matched_special_numbers: [7], is_winning_line: true, meta: {} },
      ],
      amount: 12,
      currency: 'EUR',
      exchange_rate: 1,
      origin: 'www.example.com',
      meta: {},
    },
  },
});
