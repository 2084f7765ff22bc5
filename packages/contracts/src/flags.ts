/**
 * Flags: facts about an accepted event that a person should see, although none of them is a reason to refuse it
 * (docs/reference/decisions.md 1). A flag's position in this list is stored as a bit number, so add flags only at the
 * end.
 */
export const flagMeanings = {
  ahead_of_clock: "The timestamp is more than 5 minutes ahead of the platform's clock.",
  zoneless_timestamp:
    'The timestamp has no time zone. It was read in the time zone that the brand configured for such timestamps.',
  ambiguous_local_time:
    'The timestamp has no time zone, and its local time occurs twice that day because the clocks go back. The first occurrence was used.',
  skipped_local_time:
    'The timestamp has no time zone, and its local time does not exist that day because the clocks go forward. It was moved forward.',
  rate_not_one: 'The currency is the base currency, but exchange_rate is not 1. The rate 1 was used.',
  parts_absent:
    'A bet has none of wager_amount, bonus_wager_amount and locked_wager_amount. The whole amount counts as real money.',
  parts_do_not_sum:
    'wager_amount, bonus_wager_amount and locked_wager_amount do not add up to amount. The amount is used, and the difference counts as real money.',
  unknown_code: 'A currency or other code is not in any list that the platform knows. It was stored as sent.',
  unknown_value:
    'A field with a known set of values (status, type, product, ...) has a different value. It was stored as sent.',
  bets_empty: 'A sportsbook Bet has no selections.',
  unreadable_match_start: 'The match_start of a selection is not a timestamp. It was stored as the text that was sent.',
  field_left_out:
    'An optional field that does not carry identity, money, status or time has an invalid value. The field was ignored, and the event counts.',
  resembles_known_field: 'The event has an unknown field that resembles a known one, such as paymentid.',
  payment_without_id:
    'The payment has no payment_id. It counts only if its status is Approved. A repeat of it is recognized only if both messages are identical.',
} as const;

export type Flag = keyof typeof flagMeanings;
export const flags = Object.keys(flagMeanings) as readonly Flag[];
