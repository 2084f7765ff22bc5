/**
 * Flags: facts about an accepted event that a person should see, although none of them is a reason to refuse it
 * (docs/reference/decisions.md 1). Their order is stored elsewhere as bit numbers: only append.
 */
export const flagMeanings = {
  ahead_of_clock: "The timestamp is more than 5 minutes ahead of the platform's clock.",
  zoneless_timestamp:
    'The timestamp names no zone; it was read in the zone that the brand has set for such timestamps.',
  ambiguous_local_time: 'The zone-less local time occurs twice that day (clocks go back); the first was taken.',
  skipped_local_time: 'The zone-less local time does not exist that day (clocks go forward); it was moved forward.',
  rate_not_one: 'The currency is the base currency, yet exchange_rate is not 1; 1 was used.',
  parts_absent:
    'A bet carries none of wager_amount, bonus_wager_amount and locked_wager_amount; all of amount counts as real.',
  parts_do_not_sum:
    'wager_amount, bonus_wager_amount and locked_wager_amount do not add up to amount; amount stands, the rest is real.',
  unknown_code: 'A currency or other code is in no list that the platform knows; it is kept as sent.',
  unknown_value:
    'A field with a known set of values (status, type, product, ...) carries another one; it is kept as sent.',
  bets_empty: 'A sportsbook Bet names no selections.',
  unreadable_match_start: 'The match_start of a selection is no timestamp; it is kept as the text that was sent.',
  field_left_out:
    'An optional field that carries neither identity, money, status nor time has a wrong form; the event counts without it.',
  resembles_known_field: 'The event has a field that is not known and looks like a known one, such as paymentid.',
  payment_without_id:
    'The payment carries no payment_id: it counts only as Approved, and a repeat is found only while it says exactly the same.',
} as const;

export type Flag = keyof typeof flagMeanings;
export const flags = Object.keys(flagMeanings) as readonly Flag[];
