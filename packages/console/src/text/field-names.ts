/*
 * Labels of traits, details and facts, as [English, German]. A trait of one product has the label of the same trait of
 * all products, followed by the product. A test compares the lists with the catalogs of the platform.
 */
type Language = 'en' | 'de';
type Names = Readonly<Record<string, readonly [en: string, de: string]>>;

export const traitNames: Names = {
  registered_at: ['Registered', 'Registrierung'],
  account_age: ['Age of the account', 'Alter des Kontos'],
  days_registered_without_deposit: ['Days registered without a deposit', 'Tage seit Registrierung ohne Einzahlung'],
  registration_count: ['Registrations', 'Registrierungen'],
  age: ['Age', 'Alter'],
  birthday: ['Birthday', 'Geburtstag'],
  days_to_birthday: ['Days until the birthday', 'Tage bis zum Geburtstag'],
  first_event_at: ['First event', 'Erstes Ereignis'],
  last_event_at: ['Latest event', 'Letztes Ereignis'],
  days_since_event: ['Days since the latest event', 'Tage seit dem letzten Ereignis'],
  login_count: ['Logins', 'Anmeldungen'],
  login_first_at: ['First login', 'Erste Anmeldung'],
  login_last_at: ['Latest login', 'Letzte Anmeldung'],
  days_since_login: ['Days since the latest login', 'Tage seit der letzten Anmeldung'],
  logout_count: ['Logouts', 'Abmeldungen'],
  logout_last_at: ['Latest logout', 'Letzte Abmeldung'],
  game_session_count: ['Game sessions', 'Spielsitzungen'],
  game_session_length: ['Length of game sessions', 'Dauer der Spielsitzungen'],
  game_session_length_average: ['Average game session', 'Durchschnittliche Dauer einer Spielsitzung'],
  game_session_longest: ['Longest game session', 'Längste Spielsitzung'],
  game_session_last_loss: ['Loss of the latest game session', 'Verlust der letzten Spielsitzung'],
  game_session_loss_biggest: ['Biggest loss of a game session', 'Größter Verlust einer Spielsitzung'],
  game_session_last_at: ['Latest game session', 'Letzte Spielsitzung'],
  days_since_game_session: ['Days since the latest game session', 'Tage seit der letzten Spielsitzung'],
  play_session_count: ['Play sessions', 'Sitzungen'],
  play_session_length: ['Length of play sessions', 'Dauer der Sitzungen'],
  play_session_length_average: ['Average play session', 'Durchschnittliche Dauer einer Sitzung'],
  play_session_longest: ['Longest play session', 'Längste Sitzung'],
  play_session_last_loss: ['Loss of the latest play session', 'Verlust der letzten Sitzung'],
  play_session_loss_biggest: ['Biggest loss of a play session', 'Größter Verlust einer Sitzung'],
  play_session_last_at: ['Latest play session', 'Letzte Sitzung'],
  days_since_play_session: ['Days since the latest play session', 'Tage seit der letzten Sitzung'],
  deposit_count: ['Deposits', 'Anzahl der Einzahlungen'],
  deposit_sum: ['Sum of deposits', 'Summe der Einzahlungen'],
  deposit_average: ['Average deposit', 'Durchschnittliche Einzahlung'],
  deposit_biggest: ['Biggest deposit', 'Größte Einzahlung'],
  deposit_fee_sum: ['Fees of deposits', 'Gebühren der Einzahlungen'],
  deposit_first_at: ['First deposit', 'Erste Einzahlung'],
  deposit_last_at: ['Latest deposit', 'Letzte Einzahlung'],
  deposit_first_amount: ['Amount of the first deposit', 'Betrag der ersten Einzahlung'],
  deposit_last_amount: ['Amount of the latest deposit', 'Betrag der letzten Einzahlung'],
  days_since_deposit: ['Days since the latest deposit', 'Tage seit der letzten Einzahlung'],
  deposit_count_by_vendor: ['Deposits by payment vendor', 'Einzahlungen je Zahlungsanbieter'],
  deposit_sum_by_vendor: ['Sum of deposits by payment vendor', 'Summe der Einzahlungen je Zahlungsanbieter'],
  deposit_favorite_vendor: ['Usual payment vendor of deposits', 'Häufigster Zahlungsanbieter der Einzahlungen'],
  deposit_last_vendor: ['Payment vendor of the latest deposit', 'Zahlungsanbieter der letzten Einzahlung'],
  reported_deposit_count: ['Deposits, as the operator counts them', 'Einzahlungen, wie der Betreiber sie zählt'],
  withdrawal_count: ['Withdrawals', 'Anzahl der Auszahlungen'],
  withdrawal_sum: ['Sum of withdrawals', 'Summe der Auszahlungen'],
  withdrawal_average: ['Average withdrawal', 'Durchschnittliche Auszahlung'],
  withdrawal_biggest: ['Biggest withdrawal', 'Größte Auszahlung'],
  withdrawal_fee_sum: ['Fees of withdrawals', 'Gebühren der Auszahlungen'],
  withdrawal_first_at: ['First withdrawal', 'Erste Auszahlung'],
  withdrawal_last_at: ['Latest withdrawal', 'Letzte Auszahlung'],
  withdrawal_first_amount: ['Amount of the first withdrawal', 'Betrag der ersten Auszahlung'],
  withdrawal_last_amount: ['Amount of the latest withdrawal', 'Betrag der letzten Auszahlung'],
  days_since_withdrawal: ['Days since the latest withdrawal', 'Tage seit der letzten Auszahlung'],
  withdrawal_count_by_vendor: ['Withdrawals by payment vendor', 'Auszahlungen je Zahlungsanbieter'],
  withdrawal_sum_by_vendor: ['Sum of withdrawals by payment vendor', 'Summe der Auszahlungen je Zahlungsanbieter'],
  withdrawal_favorite_vendor: ['Usual payment vendor of withdrawals', 'Häufigster Zahlungsanbieter der Auszahlungen'],
  withdrawal_last_vendor: ['Payment vendor of the latest withdrawal', 'Zahlungsanbieter der letzten Auszahlung'],
  reported_withdrawal_count: ['Withdrawals, as the operator counts them', 'Auszahlungen, wie der Betreiber sie zählt'],
  deposit_rejected_count: ['Rejected deposits', 'Abgelehnte Einzahlungen'],
  deposit_rejected_sum: ['Sum of rejected deposits', 'Summe der abgelehnten Einzahlungen'],
  deposit_rejected_last_at: ['Latest rejected deposit', 'Letzte abgelehnte Einzahlung'],
  days_since_deposit_rejected: [
    'Days since the latest rejected deposit',
    'Tage seit der letzten abgelehnten Einzahlung',
  ],
  deposit_rejected_last_reason: ['Why the latest deposit was rejected', 'Grund der letzten abgelehnten Einzahlung'],
  deposit_cancelled_count: ['Cancelled deposits', 'Abgebrochene Einzahlungen'],
  deposit_cancelled_sum: ['Sum of cancelled deposits', 'Summe der abgebrochenen Einzahlungen'],
  deposit_cancelled_last_at: ['Latest cancelled deposit', 'Letzte abgebrochene Einzahlung'],
  days_since_deposit_cancelled: [
    'Days since the latest cancelled deposit',
    'Tage seit der letzten abgebrochenen Einzahlung',
  ],
  deposit_cancelled_last_reason: ['Why the latest deposit was cancelled', 'Grund der letzten abgebrochenen Einzahlung'],
  net_deposit_sum: ['Deposits less withdrawals', 'Einzahlungen abzüglich Auszahlungen'],
  fee_sum: ['Fees of payments', 'Gebühren der Zahlungen'],
  balance_real_money: ['Real money in the wallet', 'Echtes Geld im Guthaben'],
  balance_bonus_money: ['Bonus money in the wallet', 'Bonusgeld im Guthaben'],
  bet_count: ['Bets', 'Anzahl der Einsätze'],
  bet_sum: ['Sum of bets', 'Summe der Einsätze'],
  real_bet_sum: ['Bets with real money', 'Einsätze mit echtem Geld'],
  bonus_bet_sum: ['Bets with bonus money', 'Einsätze mit Bonusgeld'],
  locked_bet_sum: ['Bets with locked money', 'Einsätze mit gebundenem Geld'],
  bet_average: ['Average bet', 'Durchschnittlicher Einsatz'],
  bet_biggest: ['Biggest bet', 'Größter Einsatz'],
  win_count: ['Wins', 'Anzahl der Gewinne'],
  win_sum: ['Sum of wins', 'Summe der Gewinne'],
  real_win_sum: ['Wins of real money', 'Gewinne in echtem Geld'],
  bonus_win_sum: ['Wins of bonus money', 'Gewinne in Bonusgeld'],
  locked_win_sum: ['Wins of locked money', 'Gewinne in gebundenem Geld'],
  win_average: ['Average win', 'Durchschnittlicher Gewinn'],
  win_biggest: ['Biggest win', 'Größter Gewinn'],
  ggr: ['Gross gaming revenue', 'Bruttospielertrag'],
  ggr_with_bonus: ['Gross gaming revenue with bonus money', 'Bruttospielertrag mit Bonusgeld'],
  rtp: ['Return to player', 'Auszahlungsquote'],
  bet_first_at: ['First played', 'Zuerst gespielt'],
  bet_last_at: ['Last played', 'Zuletzt gespielt'],
  win_last_at: ['Latest win', 'Letzter Gewinn'],
  days_since_bet: ['Days since the latest bet', 'Tage seit dem letzten Einsatz'],
  ngr: ['Net gaming revenue', 'Nettospielertrag'],
  bonus_cost: ['Cost of bonuses', 'Kosten der Boni'],
  days_since_casino_bet: ['Days since the latest bet in the casino', 'Tage seit dem letzten Einsatz im Casino'],
  round_count: ['Rounds', 'Runden'],
  win_biggest_at: ['Time of the biggest win', 'Zeit des größten Gewinns'],
  win_biggest_game: ['Game of the biggest win', 'Spiel des größten Gewinns'],
  win_biggest_vendor: ['Vendor of the biggest win', 'Anbieter des größten Gewinns'],
  win_biggest_multiplier: ['Multiplier of the biggest win', 'Multiplikator des größten Gewinns'],
  days_since_casino_win_biggest: ['Days since the biggest casino win', 'Tage seit dem größten Casinogewinn'],
  favorite_game: ['Favorite game', 'Lieblingsspiel'],
  favorite_vendor: ['Favorite vendor', 'Lieblingsanbieter'],
  days_since_sports_bet: ['Days since the latest sports bet', 'Tage seit der letzten Sportwette'],
  settled_count: ['Settled bets', 'Abgerechnete Wetten'],
  cashout_count: ['Cashouts', 'Vorzeitige Auszahlungen'],
  free_bet_count: ['Free bets', 'Freiwetten'],
  live_bet_count: ['Live bets', 'Livewetten'],
  favorite_sport: ['Favorite sport', 'Lieblingssport'],
  favorite_league: ['Favorite league', 'Lieblingsliga'],
  favorite_team: ['Favorite team', 'Lieblingsmannschaft'],
  days_since_lottery_bet: ['Days since the latest lottery ticket', 'Tage seit dem letzten Tippschein'],
  ticket_count: ['Tickets', 'Tippscheine'],
  line_count: ['Lines', 'Tippreihen'],
  winning_line_count: ['Winning lines', 'Tippreihen mit Gewinn'],
  discount_sum: ['Discounts', 'Rabatte'],
  favorite_lottery: ['Favorite lottery', 'Lieblingslotterie'],
  bonus_granted_count: ['Bonuses granted', 'Gewährte Boni'],
  bonus_granted_sum: ['Sum of bonuses granted', 'Summe der gewährten Boni'],
  bonus_granted_average: ['Average bonus', 'Durchschnittlicher Bonus'],
  bonus_turned_real_count: ['Bonuses that turned real', 'In echtes Geld umgewandelte Boni'],
  bonus_turned_real_sum: ['Bonus money that turned real', 'In echtes Geld umgewandeltes Bonusgeld'],
  bonus_forfeited_count: ['Bonuses forfeited', 'Verfallene Boni'],
  bonus_forfeited_sum: ['Sum of bonuses forfeited', 'Summe der verfallenen Boni'],
  bonus_expired_count: ['Bonuses expired', 'Abgelaufene Boni'],
  bonus_granted_first_at: ['First bonus', 'Erster Bonus'],
  bonus_granted_last_at: ['Latest bonus', 'Letzter Bonus'],
  bonus_active_count: ['Active bonuses', 'Aktive Boni'],
  bonus_active_sum: ['Sum of active bonuses', 'Summe der aktiven Boni'],
  bonus_active_wagering_left: ['Remaining wagering', 'Noch umzusetzen'],
  bonus_active_oldest_at: ['Oldest active bonus', 'Ältester aktiver Bonus'],
  bonus_next_expiry_at: ['Next expiry of a bonus or offer', 'Nächster Ablauf eines Bonus oder Angebots'],
  days_since_bonus: ['Days since the latest bonus', 'Tage seit dem letzten Bonus'],
  funds_credited_count: ['Credits of funds', 'Geldgutschriften'],
  funds_credited_sum: ['Sum of funds credited', 'Summe der Geldgutschriften'],
  funds_credited_first_at: ['First credit of funds', 'Erste Geldgutschrift'],
  funds_credited_last_at: ['Latest credit of funds', 'Letzte Geldgutschrift'],
  cart_count: ['Carts', 'Warenkörbe'],
  cart_item_count: ['Items in carts', 'Artikel in Warenkörben'],
  cart_sum: ['Sum of carts', 'Summe der Warenkörbe'],
  cart_average: ['Average cart', 'Durchschnittlicher Warenkorb'],
  cart_discount_sum: ['Discounts on carts', 'Rabatte auf Warenkörbe'],
  cart_first_at: ['First cart', 'Erster Warenkorb'],
  cart_last_at: ['Latest cart', 'Letzter Warenkorb'],
  cart_last_amount: ['Value of the latest cart', 'Wert des letzten Warenkorbs'],
  cart_last_item_count: ['Items in the latest cart', 'Artikel im letzten Warenkorb'],
  cart_last_items: ['What was in the latest cart', 'Inhalt des letzten Warenkorbs'],
  days_since_cart: ['Days since the latest cart', 'Tage seit dem letzten Warenkorb'],
  custom_events: ['Custom events by type', 'Eigene Ereignisse nach Typ'],
  site_events: ['Site events by name', 'Website-Ereignisse nach Namen'],
  message_received_count: ['Messages received', 'Erhaltene Nachrichten'],
  message_received_count_by_campaign: ['Messages received, by campaign', 'Erhaltene Nachrichten nach Kampagne'],
  message_shown_count: ['Messages shown', 'Angezeigte Nachrichten'],
  message_shown_count_by_campaign: ['Messages shown, by campaign', 'Angezeigte Nachrichten nach Kampagne'],
  message_read_count: ['Messages read', 'Gelesene Nachrichten'],
  message_read_count_by_campaign: ['Messages read, by campaign', 'Gelesene Nachrichten nach Kampagne'],
  message_clicked_count: ['Messages clicked', 'Angeklickte Nachrichten'],
  message_clicked_count_by_campaign: ['Messages clicked, by campaign', 'Angeklickte Nachrichten nach Kampagne'],
};

export const productNames: Names = {
  casino: ['casino', 'Casino'],
  sports: ['sports', 'Sport'],
  lottery: ['lottery', 'Lotterie'],
};

export const detailNames: Names = {
  username: ['User name', 'Benutzername'],
  title: ['Form of address', 'Anrede'],
  first_name: ['First name', 'Vorname'],
  last_name: ['Last name', 'Nachname'],
  sex: ['Sex', 'Geschlecht'],
  birth_date: ['Birth date', 'Geburtsdatum'],
  email: ['E-mail', 'E-Mail'],
  mobile_prefix: ['Mobile prefix', 'Vorwahl'],
  mobile: ['Mobile number', 'Mobilnummer'],
  address: ['Address', 'Adresse'],
  postal_code: ['Postal code', 'Postleitzahl'],
  city: ['City', 'Ort'],
  country: ['Country', 'Land'],
  language: ['Language', 'Sprache'],
  currency: ['Currency', 'Währung'],
  market: ['Market', 'Markt'],
  origin: ['Origin', 'Herkunft'],
  is_blocked: ['Blocked', 'Gesperrt'],
  is_excluded: ['Excluded', 'Ausgeschlossen'],
  roles: ['Roles', 'Rollen'],
  registration_code: ['Registration code', 'Registrierungscode'],
  registration_date: ['Registered', 'Registriert'],
  verified_at: ['Verified', 'Verifiziert'],
  affiliate_reference: ['Affiliate reference', 'Affiliate-Referenz'],
  segmentation: ['Segmentation of the operator', 'Segmentierung des Betreibers'],
  extra: ['Further fields', 'Weitere Felder'],
};

const windowed = /^(?<of>.+?)_(?<window>prev_\d{1,3}d|\d{1,3}[hd]|today)$/;

/**
 * Splits the name of a trait: `deposit_sum_prev_7d` is `deposit_sum` in the window `prev_7d`. Both are empty for a name
 * that does not end like a window. Pure.
 */
export function withoutWindow(name: string): { of: string; window: string } {
  const { of = '', window = '' } = windowed.exec(name)?.groups ?? {};
  return { of, window };
}

/**
 * Returns the label of a trait: `deposit_sum_7d` is *Sum of deposits, last 7 days*. Pure.
 *
 * @returns undefined for a trait that is not in the catalog, such as one of the operator's own
 */
export function traitTitle(name: string, language: Language): string | undefined {
  const own = wordsOf(name, language);
  if (own !== undefined) return own;
  const { of, window } = withoutWindow(name);
  const words = wordsOf(of, language);
  return words === undefined ? undefined : `${words}, ${windowTitle(window, language)}`;
}

function wordsOf(name: string, language: Language): string | undefined {
  const place = language === 'de' ? 1 : 0;
  if (Object.hasOwn(traitNames, name)) return traitNames[name]?.[place];
  const [, product = '', rest = ''] = /^(casino|sports|lottery)_(.+)$/.exec(name) ?? [];
  const [words, of] = [traitNames[rest]?.[place], productNames[product]?.[place]];
  return words === undefined || of === undefined ? undefined : `${words} (${of})`;
}

export function windowTitle(window: string, language: Language): string {
  const isGerman = language === 'de';
  if (window === 'today' || window === '1d') return isGerman ? 'heute' : 'today';
  if (window === 'prev_1d') return isGerman ? 'gestern' : 'yesterday';
  if (window === '1h') return isGerman ? 'diese Stunde' : 'this hour';
  const count = /\d+/.exec(window)?.[0] ?? '';
  if (window.startsWith('prev_')) {
    return isGerman ? `${count} Tage vor den letzten ${count}` : `the ${count} days before the last ${count}`;
  }
  if (window.endsWith('h')) return isGerman ? `letzte ${count} Stunden` : `last ${count} hours`;
  return isGerman ? `letzte ${count} Tage` : `last ${count} days`;
}

/** Returns the label of a field of the operator's details. Pure. */
export const detailTitle = (name: string, language: Language): string | undefined =>
  Object.hasOwn(detailNames, name) ? detailNames[name]?.[language === 'de' ? 1 : 0] : undefined;
