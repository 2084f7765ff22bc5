import { nameOf } from './codes.ts';
import { detailTitle, traitTitle } from './field-names.ts';
import { membershipTitles } from './membership-titles.ts';

/*
 * German titles of the fields of rules, and of the chapters of traits. The English titles come with `GET rule-fields` and
 * `GET traits`, because segments and campaigns store English sentences.
 */
const groups: Readonly<Record<string, string>> = {
  Player: 'Spieler',
  Logins: 'Anmeldungen',
  Sessions: 'Sitzungen',
  Payments: 'Zahlungen',
  Balances: 'Guthaben',
  'All products': 'Alle Produkte',
  Casino: 'Casino',
  Sports: 'Sport',
  Lottery: 'Lotterie',
  Bonuses: 'Boni',
  Funds: 'Geldgutschriften',
  Carts: 'Warenkörbe',
  'Custom events': 'Eigene Ereignisse',
  'Site events': 'Website-Ereignisse',
  'Custom events and site events': 'Eigene Ereignisse und Website-Ereignisse',
  Messages: 'Nachrichten',
  Profile: 'Profil',
  "The operator's own": 'Vom Betreiber',
  Consents: 'Einwilligungen',
  Protection: 'Schutz',
  Segments: 'Segmente',
  Tags: 'Schlagwörter',
  Facts: 'Vorgänge',
};

const facts: Readonly<Record<string, string>> = {
  payment: 'Zahlungen',
  login: 'Anmeldungen',
  round: 'Casinorunden',
  bet: 'Sportwetten',
  ticket: 'Tippscheine',
  bonus: 'Boni',
  cart: 'Warenkörbe',
  custom: 'Eigene Ereignisse',
  site_event: 'Website-Ereignisse',
  message: 'Nachrichten',
  message_event: 'Meldungen über Nachrichten',
};

/** Titles by `fact.field`, for fields that have another meaning than in other facts. */
const factFields: Readonly<Record<string, string>> = {
  'round.base_win': 'Gewinn',
  'round.base_result': 'Ergebnis (Gewinn − Einsatz)',
  'bet.base_amount': 'Einsatz',
  'bet.base_result': 'Ergebnis (Auszahlung − Einsatz)',
  'bet.amount': 'Einsatz in eigener Währung',
  'ticket.base_amount': 'Einsatz',
  'round.vendor_id': 'Spieleanbieter',
  'message.event': 'Form',
  'message.title': 'Titel',
  payment_id: 'ID der Zahlung',
  type: 'Art',
  status: 'Zustand',
  amount: 'Betrag in eigener Währung',
  currency: 'Währung',
  base_amount: 'Betrag',
  exchange_rate: 'Kurs',
  timestamp: 'Zeitpunkt',
  at: 'Zeitpunkt',
  counted: 'Gezählt',
  reapproved: 'Erneut genehmigt',
  vendor_id: 'Zahlungsanbieter',
  vendor_name: 'Name des Zahlungsanbieters',
  origin: 'Herkunft',
  bonus_code: 'Bonuscode',
  note: 'Notiz',
  base_fee: 'Gebühr',
  game_id: 'Spiel',
  round_id: 'ID der Runde',
  source: 'Quelle',
  first_at: 'Zeitpunkt',
  last_at: 'Letzter Vorgang',
  bet_count: 'Anzahl der Einsätze',
  win_count: 'Anzahl der Gewinne',
  base_bet: 'Einsatz',
  multiplier: 'Multiplikator (Gewinn / Einsatz)',
  unpriced: 'Ohne Beträge',
  bet_id: 'ID der Wette',
  settled_at: 'Zeitpunkt der Abrechnung',
  bet_type: 'Art der Wette',
  live: 'Live',
  free: 'Freiwette',
  risk_free: 'Risikofreie Wette',
  odds: 'Quote',
  base_payout: 'Auszahlung',
  settlement_count: 'Anzahl der Abrechnungen',
  cashout_count: 'Anzahl vorzeitiger Auszahlungen',
  sports_name: 'Sportart',
  version: 'Version der Schnittstelle',
  ticket_id: 'ID des Tippscheins',
  transaction_id: 'Kauf',
  lottery_id: 'Lotterie',
  draw_id: 'Ziehung',
  base_discount: 'Rabatt',
  line_count: 'Anzahl der Tippreihen',
  settled_line_count: 'Anzahl abgerechneter Tippreihen',
  winning_line_count: 'Anzahl der Tippreihen mit Gewinn',
  user_bonus_id: 'Bonus des Spielers',
  bonus_id: 'Bonus',
  product: 'Produkt',
  status_at: 'Zeitpunkt des Zustands',
  granted: 'Gewährt',
  granted_at: 'Zeitpunkt',
  base_turned_real: 'In echtes Geld umgewandelter Betrag',
  turned_real_at: 'Zeitpunkt der Umwandlung in echtes Geld',
  base_locked_amount: 'Gebundener Betrag',
  base_required_wagering: 'Nötiger Umsatz',
  cart_id: 'ID des Warenkorbs',
  discount_amount: 'Rabatt in eigener Währung',
  device_type: 'Gerät',
  item_count: 'Anzahl der Artikel',
  notification_type: 'Art',
  name: 'Name',
  event_id: 'ID des Ereignisses',
  message_id: 'ID der Nachricht',
  channel: 'Kanal',
  purpose: 'Zweck',
  campaign_id: 'Kampagne',
  state: 'Zustand',
  created_at: 'Zeitpunkt der Erstellung',
  shown_at: 'Zeitpunkt der Anzeige',
  read_at: 'Zeitpunkt des Lesens',
  clicked_at: 'Zeitpunkt des Klicks',
  closed_at: 'Zeitpunkt des Schließens',
  what: 'Was geschah',
  provider: 'Gemeldet von',
  reason: 'Grund',
  link: 'Angeklickter Link',
};

export const germanGroup = (group: string): string | undefined =>
  Object.hasOwn(groups, group) ? groups[group] : undefined;

/** @param fact its name, such as `payment` */
export const germanFactField = (fact: string, field: string): string | undefined =>
  factFields[`${fact}.${field}`] ?? (Object.hasOwn(factFields, field) ? factFields[field] : undefined);

/**
 * Returns the German title of a field by its name in rules, such as `trait.deposit_count_7d`. Pure. @returns undefined
 * if there is none
 */
export function germanTitle(field: string): string | undefined {
  const [kind = '', ...rest] = field.split('.');
  const name = rest.join('.');
  const code = () => nameOf(name)?.[1] ?? name;
  switch (kind) {
    case 'trait':
      return ofTrait(name);
    case 'profile':
      return name.startsWith('segmentation.')
        ? `${name.slice('segmentation.'.length)} des Betreibers`
        : detailTitle(name, 'de');
    case 'consent':
      return `Einwilligung: ${code()}`;
    case 'block':
      return `Sperre: ${code()}`;
    case 'excluded':
      return 'Ausgeschlossen';
    case 'segment':
      return membershipTitles.de.segment(name);
    case 'tag':
      return membershipTitles.de.tag(name);
    case 'did':
      return Object.hasOwn(facts, name) ? facts[name] : undefined;
    default:
      return undefined;
  }
}

/** Returns the title of a trait, or of one group of a breakdown: `deposit_count_by_vendor.7_30d`. */
function ofTrait(name: string): string | undefined {
  const [breakdown = '', ...group] = name.split('.');
  const title = traitTitle(breakdown, 'de');
  return title === undefined || group.length === 0 ? title : `${title}: ${group.join('.')}`;
}
