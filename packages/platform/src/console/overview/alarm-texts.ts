import { localized } from '../../language.ts';
import { inLanguage } from '../language/translate.ts';

/** The messages of alarms: what is wrong, what the platform does, and what to do. */
const en = {
  lag: (seconds: number) => `Profiles lag ${seconds} s behind the received events. Nothing is lost.`,
  segmentsFailing: (buckets: number, reason: string | null) =>
    `Segments cannot be updated for ${buckets}/64 of the players: ${reason}. Croupier retries every 5 s. Nothing is lost.`,
  segmentPlayersFailing: (players: number, reason: string | null) =>
    `Segments of ${players === 1 ? '1 player' : `${players} players`} cannot be updated: ${reason}. Croupier retries. Nothing is lost.`,
  parked: (players: number) => `Events of ${players} players cannot be applied. They wait and are retried.`,
  quarantine: (events: number) => `${events} events could not be accepted. They wait for a person in quarantine.`,
  quarantineExpiring: (events: number) =>
    `${events} quarantined events will be removed within 7 days (setting quarantine_days). Correct or dismiss them before that.`,
  quarantineFull: (events: number, most: number) =>
    `The quarantine has ${events} of at most ${most} events. Above the limit, resolved events are removed first, then the oldest.`,
  lookUps: (count: number) => `${count} look-ups wait for a retry, or until the operator knows the player.`,
  bonusesNeedPerson: (count: number) =>
    `${count} bonuses may have been credited. Check the operator's records and resolve them.`,
  bonusesUnknown: (count: number) => `${count} bonus calls have an unknown outcome, the oldest for more than an hour.`,
  writeBacksContradicted: (count: number) =>
    `The operator confirmed ${count} consents or blocks, but its records say the opposite. Croupier uses its own values. Contact the operator.`,
  writeBacksWaiting: (waiting: number, failing: number) =>
    `${waiting} changed consents or blocks are not stored at the operator; ${failing} of them were refused or not answered. Croupier uses its own values and retries.`,
  messagesHeld: (count: number, minutes: number) =>
    `${count} site messages are held, the oldest for ${minutes} min, because information about their players is missing.`,
  silence: (kind: string, minutes: number, events: number) =>
    `No ${kind} event arrived for ${minutes} min; ${events} arrived in the last day. Check the publisher.`,
  clock: (process: string, seconds: number, isAhead: boolean) =>
    `The clock of ${process} is ${seconds} s ${isAhead ? 'ahead of' : 'behind'} the database's clock.`,
  clockWrong: 'The process derives nothing and runs no chore until the clocks agree. Correct its clock.',
  campaignFailed: (code: string, reason: string | null) =>
    `The campaign ${code} failed: ${reason ?? 'unknown'}. No player enters. Correct it and publish it again.`,
  campaignHalted: (code: string, reason: string | null) =>
    `The campaign ${code} halted${reason === null ? '' : `: ${reason}`}. No player enters, and its effects wait. Resolve the cause, then resume the campaign.`,
  campaignUnchecked: (code: string, reason: string | null) =>
    `The limits of the campaign ${code} cannot be checked (${reason ?? 'unknown'}), so it does not halt. Croupier tries again every 5 s. Pause it if its limits matter now.`,
  campaignRunsSpoiled: (code: string, runs: number, reason: string) =>
    `${runs} runs of the campaign ${code} failed in the last 24 hours because of their data, for example: ${reason}. All other runs continue.`,
  budgetsNearLimit: (names: string, rest: number) =>
    `Budgets are nearly used up: ${names}${rest > 0 ? ` and ${rest} more` : ''}. Above the limit, bonuses are rejected.`,
  fundsWithoutRate: (count: number) =>
    `${count} credits of funds are not part of bonus cost, because no rate of their currency is known.`,
  resolutionsFailing: (players: number) =>
    `Unknown bonuses of ${players} players could not be compared with their bonus events. Croupier retries.`,
  sessionsRefused: (answered: number) =>
    `The operator has accepted no session id for an hour (0 of the last ${answered}). Check authenticate_path, the credentials, and the sid that the pages send.`,
  circuitOpen: (endpoint: string) =>
    `The operator's ${endpoint} keeps failing. Croupier sends only single probes until it answers. Waiting calls keep their place.`,
  operatorFailing: (endpoint: string, times: number) =>
    `The operator's ${endpoint} has failed ${times} times in a row.`,
  pushKeysUnreadable: (isCurrent: boolean, devices: number) =>
    `${isCurrent ? 'Push is off: the current push' : 'Former push'} keys cannot be read with this CROUPIER_SECRET, and ${devices} devices get no pushes. Restore the former secret, or create a new pair (POST push-keys).`,
};

export type AlarmTexts = typeof en;

const de: AlarmTexts = {
  lag: (seconds) => `Profile liegen ${seconds} s hinter den empfangenen Ereignissen zurück. Nichts geht verloren.`,
  segmentsFailing: (buckets, reason) =>
    `Für ${buckets}/64 der Spieler können die Segmente nicht aktualisiert werden: ${reason}. Croupier versucht es alle 5 s erneut. Nichts geht verloren.`,
  segmentPlayersFailing: (players, reason) =>
    `Die Segmente ${players === 1 ? 'eines Spielers' : `von ${players} Spielern`} können nicht aktualisiert werden: ${reason}. Croupier versucht es erneut. Nichts geht verloren.`,
  parked: (players) =>
    `Ereignisse von ${players} Spielern können nicht angewendet werden. Sie warten und werden wiederholt.`,
  quarantine: (events) =>
    `${events} Ereignisse konnten nicht angenommen werden. Sie warten in der Quarantäne auf eine Person.`,
  quarantineExpiring: (events) =>
    `${events} Ereignisse in der Quarantäne werden innerhalb von 7 Tagen gelöscht (Einstellung quarantine_days). Korrigieren oder verwerfen Sie sie vorher.`,
  quarantineFull: (events, most) =>
    `Die Quarantäne enthält ${events} von höchstens ${most} Ereignissen. Über der Grenze werden zuerst erledigte Ereignisse gelöscht, dann die ältesten.`,
  lookUps: (count) =>
    `${count} Abfragen warten auf eine Wiederholung oder darauf, dass der Betreiber den Spieler kennt.`,
  bonusesNeedPerson: (count) =>
    `${count} Boni wurden möglicherweise gutgeschrieben. Prüfen Sie die Aufzeichnungen des Betreibers und klären Sie sie.`,
  bonusesUnknown: (count) =>
    `${count} Bonusaufrufe haben einen unbekannten Ausgang, der älteste seit mehr als einer Stunde.`,
  writeBacksContradicted: (count) =>
    `Der Betreiber hat ${count} Einwilligungen oder Sperren bestätigt, aber seine Daten sagen das Gegenteil. Croupier verwendet seine eigenen Werte. Wenden Sie sich an den Betreiber.`,
  writeBacksWaiting: (waiting, failing) =>
    `${waiting} geänderte Einwilligungen oder Sperren sind beim Betreiber nicht gespeichert; ${failing} davon wurden abgelehnt oder nicht beantwortet. Croupier verwendet seine eigenen Werte und versucht es erneut.`,
  messagesHeld: (count, minutes) =>
    `${count} Nachrichten der Website werden zurückgehalten, die älteste seit ${minutes} min, weil Angaben zu ihren Spielern fehlen.`,
  silence: (kind, minutes, events) =>
    `Seit ${minutes} min kam kein Ereignis der Art ${kind} an; am letzten Tag waren es ${events}. Prüfen Sie den Absender.`,
  clock: (process, seconds, isAhead) =>
    `Die Uhr von ${process} geht gegenüber der Uhr der Datenbank ${seconds} s ${isAhead ? 'vor' : 'nach'}.`,
  clockWrong:
    'Der Prozess verarbeitet nichts und führt keine Aufgaben aus, bis die Uhren übereinstimmen. Stellen Sie seine Uhr richtig.',
  campaignFailed: (code, reason) =>
    `Die Kampagne ${code} ist fehlgeschlagen: ${reason ?? 'unbekannt'}. Kein Spieler tritt ein. Korrigieren Sie sie und veröffentlichen Sie sie erneut.`,
  campaignHalted: (code, reason) =>
    `Die Kampagne ${code} wurde angehalten${reason === null ? '' : ` (${inLanguage(reason, 'de')})`}. Kein Spieler tritt ein, und ihre Wirkungen warten. Beheben Sie die Ursache, und setzen Sie die Kampagne dann fort.`,
  campaignUnchecked: (code, reason) =>
    `Die Grenzen der Kampagne ${code} lassen sich nicht prüfen (${reason ?? 'unbekannt'}), daher hält sie nicht an. Croupier versucht es alle 5 s erneut. Pausieren Sie sie, wenn es jetzt auf ihre Grenzen ankommt.`,
  campaignRunsSpoiled: (code, runs, reason) =>
    `${runs} Durchgänge der Kampagne ${code} sind in den letzten 24 Stunden wegen ihrer Daten fehlgeschlagen, zum Beispiel: ${reason}. Alle anderen Durchgänge gehen weiter.`,
  budgetsNearLimit: (names, rest) =>
    `Budgets sind fast aufgebraucht: ${names}${rest > 0 ? ` und ${rest} weitere` : ''}. Über der Grenze werden Boni abgelehnt.`,
  fundsWithoutRate: (count) =>
    `${count} Gutschriften zählen nicht zu den Bonuskosten, weil kein Kurs ihrer Währung bekannt ist.`,
  resolutionsFailing: (players) =>
    `Unbekannte Boni von ${players} Spielern konnten nicht mit ihren Bonusereignissen verglichen werden. Croupier versucht es erneut.`,
  sessionsRefused: (answered) =>
    `Der Betreiber hat seit einer Stunde keine Sitzungs-ID akzeptiert (0 der letzten ${answered}). Prüfen Sie authenticate_path, die Zugangsdaten und die sid, die die Seiten senden.`,
  circuitOpen: (endpoint) =>
    `${endpoint} des Betreibers schlägt immer wieder fehl. Croupier sendet nur einzelne Proben, bis er antwortet. Wartende Aufrufe behalten ihren Platz.`,
  operatorFailing: (endpoint, times) => `${endpoint} des Betreibers ist ${times}-mal nacheinander fehlgeschlagen.`,
  pushKeysUnreadable: (isCurrent, devices) =>
    `${isCurrent ? 'Push ist aus: Die' : 'Frühere'} Push-Schlüssel können mit diesem CROUPIER_SECRET nicht gelesen werden, und ${devices} Geräte erhalten keine Push-Nachrichten. Stellen Sie das frühere Secret wieder her, oder erzeugen Sie ein neues Paar (POST push-keys).`,
};

export const alarmTexts = { en, de };

/** The message of an alarm, in the language in which it is shown. */
export const alarmText = localized(alarmTexts);
