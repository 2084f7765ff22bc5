import type { EventKind } from '@croupier/contracts';
import { type Language, localized } from '../../language.ts';

type ByKind = Partial<Record<EventKind, string>>;

/** Thousands are grouped as in the console: 2,942 events, 2.942 Ereignisse. */
const inEnglish = (value: number) => value.toLocaleString('en');
const inGerman = (value: number) => value.toLocaleString('de');

/** The notes of go-live steps, and the settings that are proposed before the go-live. */
const en = {
  noCallIn: 'The operator has not called with a key of this brand yet.',
  noCallOut: 'No endpoint of the operator has answered an authenticated call yet.',
  share: (part: number, whole: number, percent: string) =>
    `${inEnglish(part)} of ${inEnglish(whole)} events (${percent} %)`,
  late: (delay: string, target: string) =>
    `1 % of these events arrive ${delay} or more after their timestamp. The target is ${target}.`,
  conflicts: (share: string, advice: string) => `${share} are conflicts. ${advice}`,
  orphans: (share: string, advice: string) => `${share} are orphans. ${advice}`,
  quarantined: (events: number) =>
    `${inEnglish(events)} of these events could not be accepted. They are in quarantine.`,
  paymentsWithoutId: (share: string) =>
    `${share} have no payment_id. Such a payment counts only if it is Approved, its Rollback has no effect, and a repeat is recognized only if it is exactly the same. Send the payment's id.`,
  zonelessShifted: (hours: number) =>
    `Timestamps without a zone are about ${hours} h off. The operator uses another time zone than the configured one.`,
  noPartner: (alone: number, rounds: number, percent: string) =>
    `${inEnglish(alone)} of ${inEnglish(rounds)} recent rounds (${percent} %) are reported by only one of casino and gameround. If their vendor, game and round ids do not match, both count. Choose the endpoint for rounds (rounds_from).`,
  unpricedRounds: (rounds: number, isMore: boolean) =>
    `${inEnglish(rounds)}${isMore ? ' or more' : ''} rounds count without amounts, because their messages are in a currency without a known rate. Send the fields *_base too, or the casino events of these rounds, which contain a rate.`,
  endlessRound: (activities: number) =>
    `One round has ${inEnglish(activities)} bets and wins and is still growing. Each further one takes longer to apply. Use a unique round_id for every round of a game.`,
  onInvalid:
    'An invalid event is first answered 400. An operator that publishes in order then retries it for minutes while other events wait. With accept, the event goes to quarantine immediately and blocks no other event.',
  adviceOfOthers: 'Ask the operator for the reason. The list shows both versions.',
  adviceOnConflicts: {
    casino:
      'Events with the same vendor_id, activity_id, type and status have different money. If the operator reuses activity ids, add round_id, timestamp or amount to the key.',
    gameround:
      'Messages about one round have different amounts within 72 hours. Send the message once, when the round is over, or use a unique id for each round.',
    sports:
      'One activity_id is sent again with the same type and status and different money. To correct an activity, send a Rollback and an activity with a new id.',
    payment:
      'One payment_id is sent with the same status and time and different amounts. Ask the operator which one is correct.',
    bonus:
      'One user_bonus_id is sent with the same status and time and different amounts. Ask the operator which one is correct.',
    cart: 'One cart_id is sent with the same type, status and time and different amounts. Ask the operator which one is correct.',
  } satisfies ByKind,
  adviceOnOrphans: {
    casino:
      'Rollbacks refer to activities that were never sent. If they cancel the whole round, switch on rollback_by_round.',
    payment:
      'Final statuses arrive for payments without an earlier event. Publish Requested or Approved too, or import the older payments through the same endpoint.',
    sports:
      'Settlements or Rollbacks refer to bets that were never sent. Publish every Bet, or import the older bets through the same endpoint.',
    lottery:
      'Settlements refer to tickets that were never sent. Publish every Bet, or import the older ones through the same endpoint.',
  } satisfies ByKind,
  /** Names of the seven steps. A step that is about an endpoint has the endpoint's name in the interface. */
  steps: {
    authentication: 'Authentication and headers',
    registration: 'Publish registrations',
    login: 'Publish logins',
    payment: 'Publish payments',
  },
  kinds: {} as ByKind,
};

export type NoteTexts = typeof en;

const de: NoteTexts = {
  noCallIn: 'Der Betreiber hat noch keinen Aufruf mit einem Schlüssel dieser Marke gemacht.',
  noCallOut: 'Noch kein Endpunkt des Betreibers hat einen authentifizierten Aufruf beantwortet.',
  share: (part, whole, percent) =>
    `${inGerman(part)} von ${inGerman(whole)} Ereignissen (${percent.replace('.', ',')} %)`,
  late: (delay, target) =>
    `1 % dieser Ereignisse treffen ${delay} oder mehr nach ihrem Zeitstempel ein. Das Ziel ist ${target}.`,
  conflicts: (share, advice) => `${share} widersprechen einem anderen. ${advice}`,
  orphans: (share, advice) => `Bei ${share} fehlt das Gegenstück. ${advice}`,
  quarantined: (events) =>
    `${inGerman(events)} dieser Ereignisse konnten nicht angenommen werden. Sie sind in der Quarantäne.`,
  paymentsWithoutId: (share) =>
    `${share} haben keine payment_id. Eine solche Zahlung zählt nur, wenn sie Approved ist, ihr Rollback hat keine Wirkung, und eine Wiederholung wird nur erkannt, wenn sie genau gleich ist. Senden Sie die ID der Zahlung.`,
  zonelessShifted: (hours) =>
    `Zeitstempel ohne Zone weichen um etwa ${hours} h ab. Der Betreiber verwendet eine andere Zeitzone als die eingestellte.`,
  noPartner: (alone, rounds, percent) =>
    `${inGerman(alone)} von ${inGerman(rounds)} letzten Runden (${percent.replace('.', ',')} %) wurden nur von casino oder nur von gameround gemeldet. Wenn ihre IDs von Anbieter, Spiel und Runde nicht übereinstimmen, zählen beide. Wählen Sie den Endpunkt für Runden (rounds_from).`,
  unpricedRounds: (rounds, isMore) =>
    `${inGerman(rounds)}${isMore ? ' oder mehr' : ''} Runden zählen ohne Beträge, weil der Kurs der Währung ihrer Meldungen nicht bekannt ist. Senden Sie auch die Felder *_base oder die Casino-Ereignisse dieser Runden, die einen Kurs enthalten.`,
  endlessRound: (activities) =>
    `Eine Runde hat ${inGerman(activities)} Einsätze und Gewinne und wächst weiter. Jeder weitere braucht mehr Zeit. Verwenden Sie für jede Runde eines Spiels eine eigene round_id.`,
  onInvalid:
    'Ein ungültiges Ereignis wird zunächst mit 400 beantwortet. Ein Betreiber, der der Reihe nach sendet, wiederholt es dann minutenlang, während andere Ereignisse warten. Mit accept kommt das Ereignis sofort in die Quarantäne und hält kein anderes auf.',
  adviceOfOthers: 'Fragen Sie den Betreiber nach dem Grund. Die Liste zeigt beide Fassungen.',
  adviceOnConflicts: {
    casino:
      'Ereignisse mit gleicher vendor_id, activity_id, type und status haben verschiedene Beträge. Wenn der Betreiber IDs wiederverwendet, nehmen Sie round_id, timestamp oder amount in den Schlüssel auf.',
    gameround:
      'Meldungen über eine Runde haben innerhalb von 72 Stunden verschiedene Beträge. Senden Sie die Meldung einmal, wenn die Runde beendet ist, oder verwenden Sie für jede Runde eine eigene ID.',
    sports:
      'Eine activity_id wird mit gleichem type und status und anderem Betrag erneut gesendet. Senden Sie zur Korrektur ein Rollback und eine Aktivität mit neuer ID.',
    payment:
      'Eine payment_id wird mit gleichem status und gleicher Zeit und verschiedenen Beträgen gesendet. Fragen Sie den Betreiber, welcher stimmt.',
    bonus:
      'Eine user_bonus_id wird mit gleichem status und gleicher Zeit und verschiedenen Beträgen gesendet. Fragen Sie den Betreiber, welcher stimmt.',
    cart: 'Eine cart_id wird mit gleichem type, status und gleicher Zeit und verschiedenen Beträgen gesendet. Fragen Sie den Betreiber, welcher stimmt.',
  },
  adviceOnOrphans: {
    casino:
      'Rollbacks beziehen sich auf Aktivitäten, die nie gesendet wurden. Wenn sie die ganze Runde stornieren, schalten Sie rollback_by_round ein.',
    payment:
      'Endgültige Status treffen für Zahlungen ohne früheres Ereignis ein. Senden Sie auch Requested oder Approved, oder importieren Sie die älteren Zahlungen über denselben Endpunkt.',
    sports:
      'Abrechnungen oder Rollbacks beziehen sich auf Wetten, die nie gesendet wurden. Senden Sie jede Wette, oder importieren Sie die älteren Wetten über denselben Endpunkt.',
    lottery:
      'Abrechnungen beziehen sich auf Tippscheine, die nie gesendet wurden. Senden Sie jeden Tippschein, oder importieren Sie die älteren über denselben Endpunkt.',
  },
  steps: {
    authentication: 'Authentifizierung und Kopfzeilen',
    registration: 'Registrierungen senden',
    login: 'Anmeldungen senden',
    payment: 'Zahlungen senden',
  },
  kinds: {
    registration: 'Registrierung',
    login: 'Anmeldung',
    logout: 'Abmeldung',
    user_update: 'Änderung von Angaben',
    consents_update: 'Änderung von Einwilligungen',
    blocks_update: 'Änderung von Sperren',
    payment: 'Zahlung',
    casino: 'Casino',
    gameround: 'Spielrunde',
    sports: 'Sportwetten',
    lottery_purchase: 'Loskauf',
    lottery: 'Lotterie',
    bonus: 'Bonus',
    cart: 'Warenkorb',
    balances: 'Guthaben',
    custom: 'eigenes Ereignis',
  },
};

export const noteTexts = { en, de };

/** A note in the language in which it is shown. */
export const noteText = localized(noteTexts);

/** A kind of events in the language; in English its code, as in the API. */
export const kindIn = (kind: EventKind, language: Language): string => noteTexts[language].kinds[kind] ?? kind;
