import type { Did, Rule, RuleNode } from '@croupier/rules';

/*
 * A hundred segments such as a casino with sports and lottery uses: life cycle, value, products, behavior within minutes,
 * reach, bonuses, and segments that refer to others.
 */
export interface BenchSegment {
  readonly code: string;
  readonly rule: Rule;
}

/** Entered with the first approved deposit of a player. The bench measures with this segment. */
export const measuredSegment = 'deposited_today';

const all = (...rules: RuleNode[]): Rule => ({ combinator: 'and', rules });
const any = (...rules: RuleNode[]): Rule => ({ combinator: 'or', rules });
const trait = (name: string, operator: string, value?: unknown): RuleNode => ({
  field: `trait.${name}`,
  operator,
  value,
});
const profile = (name: string, operator: string, value?: unknown): RuleNode => ({
  field: `profile.${name}`,
  operator,
  value,
});
const consent = (type: string): RuleNode => ({ field: `consent.${type}`, operator: '=', value: true });
const member = (code: string): RuleNode => ({ field: `segment.${code}`, operator: '=', value: true });
const did = (fact: string, atLeast: number, within: string, where: RuleNode[] = []): Did => ({
  field: `did.${fact}`,
  within,
  match: { mode: 'atLeast', threshold: atLeast },
  value: all(...where),
});

const lifeCycle: Record<string, Rule> = {
  deposited_today: all(trait('deposit_count_today', '>=', 1)),
  new_without_deposit: all(trait('deposit_count', '=', 0), trait('login_count', '>=', 1)),
  one_deposit: all(trait('deposit_count', '=', 1)),
  two_deposits: all(trait('deposit_count', '=', 2)),
  regular: all(trait('deposit_count_30d', '>=', 4)),
  first_week: all(trait('registered_at', 'inLast', 'P7D')),
  first_month: all(trait('registered_at', 'inLast', 'P30D')),
  slipping_away: all(trait('deposit_count', '>=', 3), trait('days_since_login', '>=', 14)),
  lapsed_30: all(trait('days_since_bet', '>=', 30)),
  lapsed_60: all(trait('days_since_bet', '>=', 60)),
  lapsed_90: all(trait('days_since_event', '>=', 90)),
  played_today: all(trait('bet_count_today', '>=', 1)),
  played_this_week: all(trait('bet_count_7d', '>=', 1)),
  daily_player: all(trait('login_count_7d', '>=', 7)),
  less_than_before: all(trait('bet_count_prev_7d', '>=', 50), trait('bet_count_7d', '<', 20)),
  more_than_before: all(trait('bet_count_7d', '>=', 50), trait('bet_count_prev_7d', '<', 20)),
  deposits_declining: all(trait('deposit_sum_prev_30d', '>=', 500), trait('deposit_sum_30d', '<', 100)),
  birthday_week: all(profile('birth_date', 'anniversaryWithin', 'P7D')),
};

const amounts = { '7d': [100, 500], '30d': [200, 1_000, 5_000], '90d': [1_000, 10_000] };
const value: Record<string, Rule> = {
  ...ladder('deposited', 'deposit_sum'),
  ...ladder('lost', 'ggr'),
  vip: any(trait('deposit_sum_30d', '>=', 5_000), trait('ggr_90d', '>=', 5_000)),
  high_roller: all(trait('bet_biggest', '>=', 100), trait('bet_sum_30d', '>=', 10_000)),
  low_stake: all(trait('bet_average', '<', 1), trait('bet_count_30d', '>=', 100)),
  winner: all(trait('rtp', '>=', 1.1), trait('bet_count', '>=', 100)),
  big_winner: all(trait('casino_win_biggest', '>=', 1_000)),
  withdrew_recently: all(trait('withdrawal_last_at', 'inLast', 'P7D')),
  withdrew_more_than_half: all(trait('withdrawal_sum_30d', '>=', 500)),
  deposit_in_last_hour: all(trait('deposit_last_at', 'inLast', 'PT1H')),
};

function ladder(code: string, name: string): Record<string, Rule> {
  return Object.fromEntries(
    Object.entries(amounts).flatMap(([window, steps]) =>
      steps.map((step) => [`${code}_${step}_${window}`, all(trait(`${name}_${window}`, '>=', step))] as const),
    ),
  );
}

const products: Record<string, Rule> = {
  casino_only: all(trait('casino_bet_count_90d', '>=', 1), trait('sports_bet_count_90d', '=', 0)),
  sports_only: all(trait('sports_bet_count_90d', '>=', 1), trait('casino_bet_count_90d', '=', 0)),
  both_products: all(trait('casino_bet_count_30d', '>=', 1), trait('sports_bet_count_30d', '>=', 1)),
  lottery_player: all(trait('lottery_bet_count_30d', '>=', 1)),
  lottery_weekly: all(trait('lottery_bet_count_7d', '>=', 1), trait('lottery_bet_count_prev_7d', '>=', 1)),
  lottery_stopped: all(trait('lottery_bet_count', '>=', 4), trait('days_since_lottery_bet', '>=', 21)),
  live_bettor: all(trait('sports_live_bet_count_30d', '>=', 5)),
  cashes_out: all(trait('sports_cashout_count_30d', '>=', 3)),
  free_bettor: all(trait('sports_free_bet_count', '>=', 1)),
  football: all(trait('sports_favorite_sport', '=', 'Football')),
  tennis: all(trait('sports_favorite_sport', '=', 'Tennis')),
  favorite_game: all(trait('casino_favorite_game', 'in', ['starlight', 'pharaoh', 'fruits'])),
  slots_heavy: all(trait('casino_round_count_7d', '>=', 500)),
  left_cart: all(trait('cart_last_at', 'inLast', 'P1D'), trait('lottery_ticket_count_today', '=', 0)),
  many_items: all(trait('cart_last_item_count', '>=', 5)),
};

const paymentIs = (status: string, type = 'Credit') => [
  { field: 'status', operator: '=', value: status },
  { field: 'type', operator: '=', value: type },
];
const withinMinutes: Record<string, Rule> = {
  deposited_10m: all(did('payment', 1, 'PT10M', paymentIs('Approved'))),
  deposit_failed_30m: all(did('payment', 1, 'PT30M', paymentIs('Rejected'))),
  deposit_failed_twice_1h: all(did('payment', 2, 'PT1H', paymentIs('Rejected'))),
  withdrawal_asked_1d: all(did('payment', 1, 'P1D', paymentIs('Pending', 'Debit'))),
  logged_in_15m: all(did('login', 1, 'PT15M')),
  logged_in_often_1d: all(did('login', 5, 'P1D')),
  rounds_100_1h: all(did('round', 100, 'PT1H')),
  rounds_20_10m: all(did('round', 20, 'PT10M')),
  big_loss_1h: all(did('round', 1, 'PT1H', [{ field: 'base_result', operator: '<=', value: -50 }])),
  big_win_1h: all(did('round', 1, 'PT1H', [{ field: 'multiplier', operator: '>=', value: 50 }])),
  bet_live_2h: all(did('bet', 1, 'PT2H', [{ field: 'live', operator: '=', value: true }])),
  high_odds_1d: all(did('bet', 1, 'P1D', [{ field: 'odds', operator: '>=', value: 10 }])),
  ticket_1h: all(did('ticket', 1, 'PT1H')),
  cart_1h: all(did('cart', 1, 'PT1H')),
  bonus_won_1d: all(did('bonus', 1, 'P1D')),
  lost_100_in_24h: all(trait('ggr_24h', '>=', 100)),
  played_1h: all(trait('bet_count_1h', '>=', 1)),
  deposits_3_in_24h: all(trait('deposit_count_24h', '>=', 3)),
  deposited_and_stopped: all(did('payment', 1, 'PT2H', paymentIs('Approved')), trait('bet_count_1h', '=', 0)),
  lost_all_of_it: all(trait('balance_real_money', '<', 1), trait('deposit_count_today', '>=', 1)),
  session_loss: all(trait('play_session_last_loss', '>=', 100)),
};

const reach: Record<string, Rule> = {
  by_email: all(consent('Email')),
  by_sms: all(consent('SMS')),
  by_site: all(consent('SiteNotification')),
  malta: all(profile('country', '=', 'MT')),
  nordics: all(profile('country', 'in', ['SE', 'NO', 'FI', 'DK'])),
  german: all(profile('language', '=', 'de')),
  verified: all(profile('verified_at', 'notNull')),
  not_verified: all(profile('verified_at', 'null'), trait('deposit_count', '>=', 1)),
  young: all(trait('age', '<', 25)),
  mature: all(trait('age', '>=', 55)),
  affiliate: all(profile('affiliate_reference', 'notNull')),
};

const bonuses: Record<string, Rule> = {
  bonus_hunter: all(trait('bonus_granted_count_30d', '>=', 3), trait('deposit_count_30d', '<', 2)),
  no_bonus_30d: all(trait('bonus_granted_count_30d', '=', 0), trait('deposit_count_30d', '>=', 1)),
  bonus_active: all(trait('bonus_active_count', '>=', 1)),
  bonus_expiring: all(trait('bonus_next_expiry_at', 'inNext', 'P1D')),
  bonus_forfeited: all(trait('bonus_forfeited_count_30d', '>=', 1)),
  turned_real: all(trait('bonus_turned_real_sum_30d', '>=', 10)),
  costs_too_much: all(trait('bonus_cost_90d', '>=', 100), trait('ngr_90d', '<', 0)),
};

const combined: Record<string, Rule> = {
  vip_by_email: all(member('vip'), member('by_email')),
  vip_lapsing: all(member('vip'), trait('days_since_login', '>=', 7)),
  new_in_malta: all(member('first_month'), member('malta')),
  regular_by_sms: all(member('regular'), member('by_sms')),
  sports_by_site: all(member('sports_only'), member('by_site')),
  failed_and_reachable: all(member('deposit_failed_30m'), any(member('by_email'), member('by_sms'))),
};

export const hundredSegments: readonly BenchSegment[] = Object.entries({
  ...lifeCycle,
  ...value,
  ...products,
  ...withinMinutes,
  ...reach,
  ...bonuses,
  ...combined,
}).map(([code, rule]) => ({ code, rule }));
