import { isDatabaseAway } from '../database/index.ts';
import type { Words } from '../language.ts';

/** SQLSTATE classes that people can act on. */
const classes: Record<string, Words> = {
  '40': {
    en: 'another transaction changed the same rows',
    de: 'eine andere Transaktion hat dieselben Zeilen geändert',
  },
  '53': {
    en: 'the database has too little memory, disk or connections',
    de: 'die Datenbank hat zu wenig Arbeitsspeicher, Festplatte oder Verbindungen',
  },
  '54': { en: 'a limit of the database was reached', de: 'eine Grenze der Datenbank ist erreicht' },
  '55': { en: 'another transaction held a lock', de: 'eine andere Transaktion hielt eine Sperre' },
  '57': {
    en: 'the database cancelled it or is stopping',
    de: 'die Datenbank hat ihn abgebrochen oder wird beendet',
  },
};
const refused: Words = {
  en: 'the database refused a statement',
  de: 'die Datenbank hat eine Anweisung abgelehnt',
};

/**
 * Why a step of an erasure failed, in words that may be shown and stored. An error's own message may quote a row of the player
 * who is being erased. It is only in the log, which is deleted after the installation's retention.
 */
export function safeReason(error: unknown): Words {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) {
    const { en, de } = classes[code.slice(0, 2)] ?? refused;
    return failed({ en: `${en} (SQLSTATE ${code})`, de: `${de} (SQLSTATE ${code})` });
  }
  if (isDatabaseAway(error)) return failed({ en: 'the database does not answer', de: 'die Datenbank antwortet nicht' });
  if (error instanceof Error) return failed({ en: error.name, de: error.name });
  return failed({ en: 'an unknown error', de: 'ein unbekannter Fehler' });
}

const failed = ({ en, de }: Words): Words => ({
  en: `the step failed: ${en}`,
  de: `Der Schritt ist fehlgeschlagen: ${de}`,
});
