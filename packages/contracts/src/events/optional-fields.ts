import type { EventKind } from '../kinds.ts';

/**
 * What an optional field carries. Only informational fields may be left out of an event if their form is invalid.
 * Without one of the others, the event would mean something else (docs/reference/decisions.md 1).
 */
export type Carries = 'identity' | 'money' | 'status' | 'time' | 'nothing';

const wager = { wager_amount: 'money', bonus_wager_amount: 'money', locked_wager_amount: 'money' } as const;
const balance = { balance_before: 'money', balance_after: 'money' } as const;
const from = { ip_address: 'nothing', user_agent: 'nothing', origin: 'nothing' } as const;

/**
 * Every optional field of every kind. A field that carries neither identity, money, status nor time is informational. A
 * test compares the table with the definitions of the messages, so that every new field must be classified.
 */
export const optionalFields: Record<EventKind, Readonly<Record<string, Carries>>> = {
  registration: { url_referer: 'nothing', note: 'nothing', ...from },
  // `is_impersonated` decides whether the event counts as a login of the player.
  login: { is_impersonated: 'status', ...from },
  logout: { origin: 'nothing' },
  user_update: { origin: 'nothing' },
  consents_update: { origin: 'nothing' },
  blocks_update: { origin: 'nothing' },
  payment: {
    payment_id: 'identity',
    vendor_name: 'nothing',
    fee_amount: 'money',
    bonus_code: 'identity',
    deposit_count: 'nothing',
    withdraw_count: 'nothing',
    note: 'nothing',
    meta: 'nothing',
  },
  lottery_purchase: {
    'tickets.product': 'nothing',
    'tickets.product_name': 'nothing',
    'tickets.amount': 'money',
    'tickets.lines_count': 'nothing',
    'tickets.draws': 'time',
    'tickets.draws.timestamp': 'time',
    account_amount: 'money',
    bonus_amount: 'money',
    deposit_amount: 'money',
    bonus_code: 'identity',
    meta: 'nothing',
  },
  lottery: {
    lottery_name: 'nothing',
    lottery_type: 'nothing',
    // A Settlement must have them, because they end the draw.
    draw_numbers: 'status',
    draw_special_numbers: 'nothing',
    // A free line is staked with bonus money.
    'lines.is_free_bet': 'money',
    'lines.numbers': 'nothing',
    'lines.special_numbers': 'nothing',
    'lines.is_quick_pick': 'nothing',
    'lines.matched_numbers': 'nothing',
    'lines.matched_special_numbers': 'nothing',
    'lines.is_winning_line': 'status',
    'lines.meta': 'nothing',
    discount_amount: 'money',
    bonus_code: 'identity',
    device_type: 'nothing',
    meta: 'nothing',
  },
  casino: {
    status: 'status',
    ...wager,
    ...balance,
    bonus_balance_before: 'money',
    bonus_balance_after: 'money',
    game_name: 'nothing',
    game_type: 'nothing',
    vendor_name: 'nothing',
    meta: 'nothing',
  },
  bonus: {
    bonus_code: 'identity',
    bonus_turned_real: 'money',
    locked_amount: 'money',
    required_wagering_amount: 'money',
    crm_references: 'identity',
    'crm_references.id': 'identity',
    'crm_references.activity_id': 'identity',
    'crm_references.action_id': 'identity',
    'crm_references.action_group_id': 'identity',
    'crm_references.trigger_hash': 'identity',
    meta: 'nothing',
  },
  gameround: {
    vendor_name: 'nothing',
    real_bet_user: 'money',
    real_win_user: 'money',
    bonus_bet_user: 'money',
    bonus_win_user: 'money',
    real_bet_base: 'money',
    real_win_base: 'money',
    bonus_bet_base: 'money',
    bonus_win_base: 'money',
  },
  sports: {
    activity_id_reference: 'identity',
    status: 'status',
    is_cashout: 'status',
    'bets.event_name': 'nothing',
    // A bet of free selections is staked with bonus money.
    'bets.is_free_bet': 'money',
    'bets.is_risk_free_bet': 'nothing',
    'bets.market': 'nothing',
    // This is the time of the match, not of the event.
    'bets.match_start': 'nothing',
    'bets.outcome': 'nothing',
    'bets.sports_name': 'nothing',
    'bets.tournament_name': 'nothing',
    'bets.odds': 'nothing',
    'bets.is_live': 'nothing',
    ...wager,
    ...balance,
    odds: 'nothing',
    outcomes: 'nothing',
    user_bonus_id: 'identity',
    device_type: 'nothing',
    meta: 'nothing',
  },
  cart: {
    'items.id': 'identity',
    'items.type': 'nothing',
    'items.name': 'nothing',
    'items.description': 'nothing',
    'items.amount': 'money',
    'items.discount_amount': 'money',
    'items.bonus_code': 'identity',
    'items.meta': 'nothing',
    'payments.type': 'nothing',
    'payments.amount': 'money',
    'payments.meta': 'nothing',
    discount_amount: 'money',
    bonus_code: 'identity',
    device_type: 'nothing',
    origin: 'nothing',
    meta: 'nothing',
  },
  balances: {},
  custom: {},
  site_event: {},
  message_event: {
    message_id: 'identity',
    campaign_id: 'identity',
    reference: 'identity',
    reason: 'status',
    link: 'identity',
    detail: 'nothing',
  },
  funds_credited: { bonus_code: 'identity' },
};
