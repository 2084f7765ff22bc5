import type { EventKind, EventOf, PlatformEvent } from '@croupier/contracts';
import type { LocalizedText } from '../../language.ts';
import { plainWords, type SummaryTexts, summaryTexts } from './summary-texts.ts';

/**
 * An event in one short line for lists: the money, the product and its name. It contains no personal data, so every role may
 * read it. Pure.
 */
export function summaryOfEvent(event: PlatformEvent): LocalizedText {
  const summarize = summaries[event.kind] as (texts: SummaryTexts, event: PlatformEvent) => string;
  return (language) => summarize(summaryTexts[language], event);
}

const summaries: { readonly [K in EventKind]: (texts: SummaryTexts, event: EventOf<K>) => string } = {
  registration: (texts) => texts.registration,
  login: (texts, { is_impersonated }) => (is_impersonated === true ? texts.loginOfStaff : texts.login),
  logout: (texts) => texts.logout,
  user_update: (texts) => texts.userUpdate,
  consents_update: (texts) => texts.consentsUpdate,
  blocks_update: (texts) => texts.blocksUpdate,
  payment: (texts, event) =>
    texts.payment(event.type, money(texts, event), event.vendor_name ?? event.vendor_id, event.status),
  casino: (texts, { type, status, ...event }) =>
    undone(texts, status) +
    (type === 'Loss'
      ? texts.casinoLoss(gameOf(event), event.round_id)
      : texts.casino(type, money(texts, event), gameOf(event), event.round_id)),
  gameround: (texts, event) => texts.round(event.round_id, gameOf(event)) + amountsOf(texts, event),
  sports: (texts, { type, status, ...event }) => {
    const bet = event.activity_id_reference ?? event.activity_id;
    const settled = event.is_cashout === true ? texts.cashout : texts.settlement;
    return (
      undone(texts, status) +
      (type === 'Bet'
        ? texts.sportsBet(event.bet_type, money(texts, event), event.bets.length, event.odds)
        : settled(money(texts, event), bet))
    );
  },
  lottery_purchase: (texts, { tickets, status, ...event }) =>
    texts.purchase(tickets.length, money(texts, event), status),
  lottery: (texts, { type, lines, ...event }) =>
    texts.lottery(
      type,
      money(texts, event),
      lines.length,
      event.lottery_name ?? texts.lotteryOf(event.lottery_id),
      event.draw_id,
    ),
  bonus: (texts, event) =>
    texts.bonus(event.bonus_code ?? event.bonus_id, money(texts, event), event.product, event.status),
  cart: (texts, { type, status, items, ...event }) => texts.cart(type, items.length, money(texts, event), status),
  balances: (texts, { balances }) =>
    balances.length === 0
      ? texts.noBalance
      : capitalized(balances.map((each) => `${balanceName(texts, each.key)} ${money(texts, each)}`).join(', ')),
  custom: (_texts, { notification_type }) => capitalized(plainWords(notification_type)),
  funds_credited: (texts, { status, bonus_code, ...event }) =>
    undone(texts, status) + texts.funds(money(texts, event), bonus_code),
  site_event: (texts, { name }) => texts.tracked(capitalized(plainWords(name))),
  message_event: (texts, { what, channel, provider, message_id, reason }) =>
    texts.message(
      message_id === undefined ? '' : ` ${message_id}`,
      channel,
      what,
      reason === undefined ? '' : ` (${reason})`,
      provider,
    ),
};

/**
 * A fraction has at least two digits, as people write money: `43.30 EUR`, but `25 EUR`. Further digits are kept for accuracy. The
 * separators are those of the language.
 */
function money(
  { decimal, thousands }: SummaryTexts,
  { amount, currency }: { amount: string; currency: string },
): string {
  const [whole = '', fraction] = amount.split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, thousands);
  return `${grouped}${fraction === undefined ? '' : decimal + fraction.padEnd(2, '0')} ${currency}`;
}

/** Operators may send balances with their own keys. */
function balanceName(texts: SummaryTexts, key: string): string {
  if (key === 'real_money') return texts.realMoney;
  return key === 'bonus_money' ? texts.bonusMoney : plainWords(key);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function undone({ rollback }: SummaryTexts, status: string): string {
  return status === 'Rollback' ? rollback : '';
}

function gameOf(event: { game_id: string; game_name?: string; vendor_id: string; vendor_name?: string }): string {
  return `${event.game_name?.trim() || event.game_id} (${event.vendor_name?.trim() || event.vendor_id})`;
}

/** Shows only the amounts that the operator sent, and bonus money only if there is some. Bonus money has a label, real money none. */
function amountsOf(texts: SummaryTexts, event: EventOf<'gameround'>): string {
  const parts = [
    [event.real_bet_user, texts.bet],
    [event.bonus_bet_user, texts.bonusBet],
    [event.real_win_user, texts.won],
    [event.bonus_win_user, texts.bonusWon],
  ] as const;
  const bonusWords = [texts.bonusBet, texts.bonusWon];
  const amounts = parts.flatMap(([amount, word]) =>
    amount === undefined || (Number(amount) === 0 && bonusWords.includes(word))
      ? []
      : [`${word} ${money(texts, { amount, currency: event.user_currency })}`],
  );
  return amounts.length === 0 ? '' : `: ${amounts.join(', ')}`;
}
