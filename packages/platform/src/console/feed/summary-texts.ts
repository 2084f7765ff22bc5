/** The words of summaries of events. Names and ids are inserted unchanged. */
export interface SummaryTexts {
  /** The separators of amounts. */
  decimal: string;
  thousands: string;
  registration: string;
  login: string;
  loginOfStaff: string;
  logout: string;
  userUpdate: string;
  consentsUpdate: string;
  blocksUpdate: string;
  /** Text before an event that cancels another event. */
  rollback: string;
  payment(type: 'Credit' | 'Debit', money: string, by: string, status: string): string;
  casino(type: 'Bet' | 'Win', money: string, game: string, round: string): string;
  casinoLoss(game: string, round: string): string;
  round(round: string, game: string): string;
  bet: string;
  bonusBet: string;
  won: string;
  bonusWon: string;
  sportsBet(type: string, money: string, selections: number, odds: string | undefined): string;
  cashout(money: string, bet: string): string;
  settlement(money: string, bet: string): string;
  purchase(tickets: number, money: string, status: string): string;
  lottery(type: 'Bet' | 'Settlement', money: string, lines: number, lottery: string, draw: string): string;
  /** A lottery without a name. */
  lotteryOf(id: string): string;
  bonus(code: string, money: string, product: string, status: string): string;
  cart(type: string, items: number, money: string, status: string): string;
  realMoney: string;
  bonusMoney: string;
  noBalance: string;
  funds(money: string, code: string | undefined): string;
  tracked(name: string): string;
  message(id: string, channel: string, what: string, reason: string, provider: string): string;
}

/** Returns a snake_case name as words. */
export const plainWords = (name: string): string => name.replaceAll('_', ' ').trim() || name;

const one = (count: number, single: string, several: string): string => `${count} ${count === 1 ? single : several}`;

const en: SummaryTexts = {
  decimal: '.',
  thousands: ',',
  registration: 'Registered',
  login: 'Logged in',
  loginOfStaff: 'Staff signed in as the player',
  logout: 'Logged out',
  userUpdate: 'Details changed',
  consentsUpdate: 'Consents changed',
  blocksUpdate: 'Blocks changed',
  rollback: 'Rollback: ',
  payment: (type, money, by, status) =>
    `${type === 'Credit' ? 'Deposit' : 'Withdrawal'} of ${money} by ${by}: ${status}`,
  casino: (type, money, game, round) => `${type} of ${money} in ${game}, round ${round}`,
  casinoLoss: (game, round) => `Loss in ${game}, round ${round}`,
  round: (round, game) => `Round ${round} of ${game}`,
  bet: 'bet',
  bonusBet: 'bonus bet',
  won: 'won',
  bonusWon: 'bonus won',
  sportsBet: (type, money, selections, odds) =>
    `${type} bet of ${money} on ${one(selections, 'selection', 'selections')}${odds === undefined ? '' : ` at ${odds}`}`,
  cashout: (money, bet) => `Cashout of ${money} for bet ${bet}`,
  settlement: (money, bet) => `Settlement of ${money} for bet ${bet}`,
  purchase: (tickets, money, status) => `Purchase of ${one(tickets, 'ticket', 'tickets')} for ${money}: ${status}`,
  lottery: (type, money, lines, lottery, draw) =>
    `${type === 'Bet' ? 'Ticket' : 'Settlement'} of ${money}, ${one(lines, 'line', 'lines')}, ${lottery}, draw ${draw}`,
  lotteryOf: (id) => `lottery ${id}`,
  bonus: (code, money, product, status) => `Bonus ${code} of ${money} for ${product}: ${status}`,
  cart: (type, items, money, status) => `${type} of ${one(items, 'item', 'items')} for ${money}: ${status}`,
  realMoney: 'real money',
  bonusMoney: 'bonus money',
  noBalance: 'No balance',
  funds: (money, code) => `Funds of ${money} credited${code === undefined ? '' : ` for ${code}`}`,
  tracked: (name) => `${name}, tracked by the site`,
  message: (id, channel, what, reason, provider) =>
    `Message${id} by ${channel} ${plainWords(what)}${reason}, as ${provider} reports`,
};

/** German words for values in events. All other values are shown as they were sent. */
const germanValues: Readonly<Record<string, string>> = {
  Requested: 'angefragt',
  Approved: 'genehmigt',
  Rejected: 'abgelehnt',
  Rollback: 'zurückgenommen',
  Cancelled: 'storniert',
  Pending: 'ausstehend',
  Created: 'angelegt',
  Ongoing: 'läuft',
  Completed: 'abgeschlossen',
  AutoCompleted: 'automatisch abgeschlossen',
  Forfeited: 'verfallen',
  Expired: 'abgelaufen',
  Lost: 'verloren',
  Reversed: 'rückgebucht',
  Successful: 'erfolgreich',
  Failed: 'fehlgeschlagen',
  Single: 'Einzelwette',
  Combo: 'Kombiwette',
  Multi: 'Mehrfachwette',
  System: 'Systemwette',
  Casino: 'Casino',
  Sportsbook: 'Sportwetten',
  Lotto: 'Lotterie',
  Checkout: 'Bestellung',
  delivered: 'zugestellt',
  deferred: 'verzögert',
  bounced: 'nicht zustellbar',
  opened: 'geöffnet',
  clicked: 'angeklickt',
  complained: 'als unerwünscht gemeldet',
  unsubscribed: 'abbestellt',
  failed: 'fehlgeschlagen',
  hard: 'dauerhaft',
  soft: 'vorübergehend',
  policy: 'Absender oder Inhalt abgewiesen',
};
const german = (value: string): string => germanValues[value] ?? value;

const de: SummaryTexts = {
  decimal: ',',
  thousands: '.',
  registration: 'Registriert',
  login: 'Angemeldet',
  loginOfStaff: 'Mitarbeiter hat sich als Spieler angemeldet',
  logout: 'Abgemeldet',
  userUpdate: 'Angaben geändert',
  consentsUpdate: 'Einwilligungen geändert',
  blocksUpdate: 'Sperren geändert',
  rollback: 'Zurückgenommen: ',
  payment: (type, money, by, status) =>
    `${type === 'Credit' ? 'Einzahlung' : 'Auszahlung'} von ${money} über ${by}: ${german(status)}`,
  casino: (type, money, game, round) =>
    `${type === 'Bet' ? 'Einsatz' : 'Gewinn'} von ${money} in ${game}, Runde ${round}`,
  casinoLoss: (game, round) => `Verloren in ${game}, Runde ${round}`,
  round: (round, game) => `Runde ${round} von ${game}`,
  bet: 'Einsatz',
  bonusBet: 'Bonuseinsatz',
  won: 'Gewinn',
  bonusWon: 'Bonusgewinn',
  sportsBet: (type, money, selections, odds) =>
    `${german(type)} über ${money} mit ${one(selections, 'Auswahl', 'Auswahlen')}${odds === undefined ? '' : ` zur Quote ${odds.replace('.', ',')}`}`,
  cashout: (money, bet) => `Cashout von ${money} für Wette ${bet}`,
  settlement: (money, bet) => `Abrechnung von ${money} für Wette ${bet}`,
  purchase: (tickets, money, status) =>
    `Kauf von ${one(tickets, 'Tippschein', 'Tippscheinen')} für ${money}: ${german(status)}`,
  lottery: (type, money, lines, lottery, draw) =>
    `${type === 'Bet' ? 'Tippschein' : 'Abrechnung'} über ${money}, ${one(lines, 'Reihe', 'Reihen')}, ${lottery}, Ziehung ${draw}`,
  lotteryOf: (id) => `Lotterie ${id}`,
  bonus: (code, money, product, status) => `Bonus ${code} über ${money} für ${german(product)}: ${german(status)}`,
  cart: (type, items, money, status) =>
    `${german(type)} mit ${one(items, 'Artikel', 'Artikeln')} für ${money}: ${german(status)}`,
  realMoney: 'Echtgeld',
  bonusMoney: 'Bonusgeld',
  noBalance: 'Kein Guthaben',
  funds: (money, code) => `Guthaben von ${money} gutgeschrieben${code === undefined ? '' : ` für ${code}`}`,
  tracked: (name) => `${name}, von der Website gemeldet`,
  message: (id, channel, what, reason, provider) =>
    `Nachricht${id} per ${channel} laut ${provider}: ${german(what)}${reason.replace(/hard|soft|policy/, german)}`,
};

export const summaryTexts = { en, de };
