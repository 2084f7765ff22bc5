import type { EventKind, EventOf, PlatformEvent } from '@croupier/contracts';

/**
 * An event in one short line for lists: the money, the product and its name. It contains no personal data, so every role may
 * read it. Pure.
 */
export function summaryOfEvent(event: PlatformEvent): string {
  const summarise = summaries[event.kind] as (event: PlatformEvent) => string;
  return summarise(event);
}

const summaries: { readonly [K in EventKind]: (event: EventOf<K>) => string } = {
  registration: () => 'Registered',
  login: ({ is_impersonated }) => (is_impersonated === true ? 'Staff signed in as the player' : 'Logged in'),
  logout: () => 'Logged out',
  user_update: () => 'Details changed',
  consents_update: () => 'Consents changed',
  blocks_update: () => 'Blocks changed',
  payment: (event) =>
    `${event.type === 'Credit' ? 'Deposit' : 'Withdrawal'} of ${money(event)} by ${event.vendor_name ?? event.vendor_id}: ${event.status}`,
  casino: ({ type, status, ...event }) =>
    `${undone(status)}${type === 'Loss' ? 'Loss' : `${type} of ${money(event)}`} in ${gameOf(event)}, round ${event.round_id}`,
  gameround: (event) => `Round ${event.round_id} of ${gameOf(event)}${amountsOf(event)}`,
  sports: ({ type, status, ...event }) =>
    type === 'Bet'
      ? `${undone(status)}${event.bet_type} bet of ${money(event)} on ${counted(event.bets.length, 'selection')}${oddsOf(event)}`
      : `${undone(status)}${event.is_cashout === true ? 'Cashout' : 'Settlement'} of ${money(event)} for bet ${event.activity_id_reference ?? event.activity_id}`,
  lottery_purchase: ({ tickets, status, ...event }) =>
    `Purchase of ${counted(tickets.length, 'ticket')} for ${money(event)}: ${status}`,
  lottery: ({ type, lines, ...event }) =>
    `${type === 'Bet' ? 'Ticket' : 'Settlement'} of ${money(event)}, ${counted(lines.length, 'line')}, ${event.lottery_name ?? `lottery ${event.lottery_id}`}, draw ${event.draw_id}`,
  bonus: (event) =>
    `Bonus ${event.bonus_code ?? event.bonus_id} of ${money(event)} for ${event.product}: ${event.status}`,
  cart: ({ type, status, items, ...event }) =>
    `${type} of ${counted(items.length, 'item')} for ${money(event)}: ${status}`,
  balances: ({ balances }) =>
    balances.length === 0 ? 'No balance' : balances.map((each) => `${each.key} ${money(each)}`).join(', '),
  custom: ({ notification_type }) => notification_type,
  funds_credited: ({ status, bonus_code, ...event }) =>
    `${undone(status)}Funds of ${money(event)} credited${bonus_code === undefined ? '' : ` for ${bonus_code}`}`,
  site_event: ({ name }) => `${name}, tracked by the site`,
  message_event: ({ what, channel, provider, message_id, reason }) =>
    `Message${message_id === undefined ? '' : ` ${message_id}`} by ${channel} ${what.replace('_', ' ')}${reason === undefined ? '' : ` (${reason})`}, as ${provider} reports`,
};

function money({ amount, currency }: { amount: string; currency: string }): string {
  return `${amount} ${currency}`;
}

function undone(status: string): string {
  return status === 'Rollback' ? 'Rollback: ' : '';
}

function gameOf(event: { game_id: string; game_name?: string; vendor_id: string; vendor_name?: string }): string {
  return `${event.game_name ?? event.game_id} (${event.vendor_name ?? event.vendor_id})`;
}

/** Shows only the amounts that the operator sent; bonus money is labelled, real money is the default. */
function amountsOf(event: EventOf<'gameround'>): string {
  const parts = [
    [event.real_bet_user, 'bet'],
    [event.bonus_bet_user, 'bonus bet'],
    [event.real_win_user, 'won'],
    [event.bonus_win_user, 'bonus won'],
  ] as const;
  const told = parts.flatMap(([amount, word]) =>
    amount === undefined ? [] : [`${word} ${money({ amount, currency: event.user_currency })}`],
  );
  return told.length === 0 ? '' : `: ${told.join(', ')}`;
}

function oddsOf({ odds }: { odds?: string }): string {
  return odds === undefined ? '' : ` at ${odds}`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
