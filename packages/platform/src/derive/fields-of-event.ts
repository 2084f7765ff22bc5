import type { DecimalText, EventOf, PlatformEvent } from '@croupier/contracts';
import Big from 'big.js';
import { counts } from './families/carts/index.ts';
import { roundMultiplier } from './families/rounds/index.ts';
import { betFieldsOf } from './families/sports/index.ts';
import { inBase, sumOf } from './money.ts';

type FactFields = Readonly<Record<string, DecimalText | number | boolean | null | undefined>>;

/**
 * The fields of the fact that an event makes or changes, as far as the event itself contains them. They have the names that
 * rules use (`did.<fact>`). For a bet they are its stake and selections, for a settlement the payout. Fields that follow only
 * from several events, such as the result of a bet, are not included.
 */
export function fieldsOfEvent(event: PlatformEvent): FactFields {
  switch (event.kind) {
    case 'gameround':
      return ofRound(event);
    case 'sports':
      return betFieldsOf(event);
    case 'lottery':
      return ofTicket(event);
    case 'cart':
      return { counted: counts(event), item_count: event.items.length, base_discount: discountInBase(event) };
    case 'bonus':
      return {
        granted: event.status !== 'Reversed',
        base_turned_real: inBase(event.bonus_turned_real ?? '0', event.exchange_rate),
      };
    default:
      return {};
  }
}

/** Includes amounts only if the message has them in the base currency. Its other amounts may be in any currency. */
function ofRound(round: EventOf<'gameround'>): FactFields {
  const { real_bet_base, bonus_bet_base, real_win_base, bonus_win_base } = round;
  const fields = { status: 'closed', source: 'gameround' };
  if (real_bet_base === undefined && real_win_base === undefined) return fields;
  const bet = sumOf([real_bet_base ?? '0', bonus_bet_base ?? '0']);
  const win = sumOf([real_win_base ?? '0', bonus_win_base ?? '0']);
  return {
    ...fields,
    base_bet: bet,
    base_win: win,
    base_result: new Big(win).minus(bet).toFixed(),
    multiplier: roundMultiplier({ bet, win }),
  };
}

function ofTicket(ticket: EventOf<'lottery'>): FactFields {
  const { type, amount, exchange_rate, lines } = ticket;
  const base = inBase(amount, exchange_rate);
  if (type === 'Settlement')
    return {
      status: 'settled',
      base_payout: base,
      winning_line_count: lines.filter(({ is_winning_line }) => is_winning_line === true).length,
    };
  return { status: 'open', base_amount: base, base_discount: discountInBase(ticket), line_count: lines.length };
}

function discountInBase({
  discount_amount = '0',
  exchange_rate,
}: {
  discount_amount?: DecimalText | undefined;
  exchange_rate: DecimalText;
}): DecimalText {
  return inBase(discount_amount, exchange_rate);
}
