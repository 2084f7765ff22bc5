/**
 * How often the simulated casino has the quirks of real ones. Each rate is a share (0 to 1) of the occasions that its
 * comment begins with. The number in brackets is the section of docs/reference/decisions.md that says how the platform
 * handles it.
 */
export const defaultQuirks = {
  /** Of all messages: sent again byte for byte, minutes to hours later [2, 3]. */
  retry: 0.03,
  /** Of retries: the same JSON with its keys in another order, as a re-serializing sender produces [2.2]. */
  retry_reserialized: 0.1,
  /** Of registrations, payments, casino activities, game rounds and sports settlements: sent again with a new timestamp [2.3, 2.5]. */
  restamped: 0.01,
  /** Of all messages: arrives 5 minutes to 20 hours after it happened [2.1, 2.10]. */
  late: 0.005,
  /** Of approved payments, casino activities, game rounds, sports bets, bonuses, carts: a second message of a key, other money [2.3]. */
  conflict: 0.004,
  /** Per visit: a correction of something that was never published (payment, casino activity, sports settlement) [2.5, 2.6]. */
  orphan: 0.01,
  /** Of approved payments: rolled back afterwards [2.5]. */
  payment_rollback: 0.02,
  /** Of rolled-back payments: approved once more, under the same payment_id [2.5]. */
  approved_again: 0.3,
  /** Of payments: rejected although approved before, then approved again (a cascade of payment providers) [2.5]. */
  flip_flop: 0.01,
  /** Of payments: the rollback carries the same second as the approval [2.5]. */
  same_second: 0.005,
  /** Of payments: no payment_id at all, or a blank one [1, 2.4]. */
  no_payment_id: 0.01,
  /** Of withdrawals: the payment_id of an earlier deposit, for operators that number each type separately [2.5]. */
  payment_id_reused: 0.03,
  /** Of casino activities: taken back by a message with status Rollback [2.6]. */
  casino_rollback: 0.005,
  /** Of casino bets and wins: the message with status Rollback arrives before the bet or win that it takes back [2.6]. */
  rollback_first: 0.002,
  /** Of casino activities: sent again as part of another round, which the activity key does not include [2.4]. */
  activity_moved: 0.003,
  /** Of casino bets and wins without bonus or locked money: sent without their parts [3]. */
  no_parts: 0.05,
  /** Of casino rounds: a bonus locks half of the player's own money in it [3]. */
  locked_money: 0.03,
  /** Of casino rounds: paused and continued hours later, so that its two ends count for sessions [2.8]. */
  long_round: 0.005,
  /** Of casino rounds: one activity_id for the Bet and its Win [2.4]. */
  one_activity_id: 0.3,
  /** Of casino rounds: a round_id that the player had in the same game more than 72 hours ago [2.6]. */
  round_id_reused: 0.05,
  /** Of casino rounds: only the consolidated game round message is sent, no Bet and no Win [2.7]. */
  gameround_only: 0.05,
  /** Of casino rounds: only Bet and Win are sent, no game round message [2.7]. */
  raw_only: 0.2,
  /** Of sports bets and lottery tickets: the settlement arrives before the bet [2.9]. */
  settlement_first: 0.05,
  /** Of sports bets: part of the stake is cashed out before the end [2.9]. */
  partial_cashout: 0.15,
  /** Of sports bets: the settlement has the bet's own activity_id and an empty reference [2.9]. */
  blank_reference: 0.1,
  /** Of sports settlements: rolled back and settled again with another amount [2.9]. */
  settlement_corrected: 0.03,
  /** Of sports bets: rolled back by the bookmaker before any payout [2.9]. */
  bet_voided: 0.02,
  /** Of lottery tickets: settled once more, line by line, with another result [2.9]. */
  settled_twice: 0.05,
  /** Of ended bonuses: taken back by the operator [2.9]. */
  bonus_reversed: 0.05,
  /** Of carts: a cart_id that this player has used before [2.4]. */
  cart_id_reused: 0.2,
  /** Of logins: staff acting as the player [2.10]. */
  impersonated: 0.01,
  /** Of players: registered before the integration, so unknown until they log in [2.10]. */
  unregistered: 0.2,
  /** Of players: plays in a currency that is not the brand's base currency [1]. */
  second_currency: 0.3,
  /** Of players: an id with characters that need care in a path, or with more digits than a double holds [1]. */
  odd_user_id: 0.02,
  /** Of casino activities: date and time without a zone, the form that the interface shows [1]. */
  zoneless_casino: 0.9,
  /** Of all other messages: date and time without a zone [1]. */
  zoneless: 0.02,
  /** Of timestamps with a zone: the local offset instead of Z [1]. */
  local_offset: 0.2,
  /** Of timestamps with a zone: seven or nine fraction digits [1]. */
  fine_fraction: 0.05,
  /** Of timestamps before ten o'clock: `T8:27:58Z` [1]. */
  one_digit_hour: 0.02,
  /** Of all messages: ids that are digits are sent as JSON numbers [1]. */
  ids_as_numbers: 0.03,
  /** Of all messages: enumerations and currency in other letter case [1]. */
  letter_case: 0.02,
  /** Of all messages: null in optional fields [1]. */
  nulls: 0.05,
  /** Of all messages: blank text in optional fields [1]. */
  blanks: 0.02,
  /** Of messages with an amount: the amount as text, "10.50" [1]. */
  amount_as_text: 0.01,
  /** Of all messages: accompanied by a broken variant, labeled `invalid`, that must be refused [1]. */
  invalid: 0.002,
} as const;

export type QuirkName = keyof typeof defaultQuirks;
export type Quirks = Record<QuirkName, number>;

/** A casino without quirks, for tests that need only the ordinary traffic. */
export const noQuirks: Quirks = Object.fromEntries(Object.keys(defaultQuirks).map((name) => [name, 0])) as Quirks;
