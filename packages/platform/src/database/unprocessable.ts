import { storableDetail } from './storable.ts';

/*
 * Reasons why data of a player cannot be processed: PostgreSQL refuses a value, or this program fails. If PostgreSQL refuses a value, the
 * reason does not contain it. The log never contains values.
 */

/** All these reasons begin with this text. Alarms find campaign runs by it (campaigns/halt/spoiled-runs.ts, and an index in 0018-campaigns.sql). */
export const unprocessableWords = 'cannot be processed: ';

/** What is wrong, by SQLSTATE, or by the first two characters of the SQLSTATE (its class). */
const words: Readonly<Record<string, string>> = {
  '21': 'one value occurs twice',
  '22': 'a value cannot be stored',
  '22001': 'a text is too long',
  '22003': 'a number is out of range',
  '22008': 'a time is out of range',
  '22012': 'a division by zero',
  '22021': 'a text contains a character that cannot be stored',
  '22P02': 'a value has the wrong format',
  '22P05': 'a text contains a character that cannot be stored',
  '23': 'a value is not permitted',
  '23502': 'a value is missing',
  '23503': 'a value refers to something that does not exist',
  '23505': 'a value already exists',
  '54': 'a value is too large',
};

/**
 * The reason for an error of the database about a value. Pure.
 *
 * @returns undefined for any other error
 */
export function refusedValue(error: unknown): string | undefined {
  const code = sqlStateOf(error);
  const word = code === undefined ? undefined : (words[code] ?? words[code.slice(0, 2)]);
  return word === undefined ? undefined : `${unprocessableWords}${word} (SQLSTATE ${code})`;
}

/** The reason for any error that is caused by data. Pure. */
export function unprocessableReason(error: unknown): string {
  const code = sqlStateOf(error);
  const state = code === undefined ? '' : ` (SQLSTATE ${code})`;
  return refusedValue(error) ?? `${unprocessableWords}${storableDetail(messageOf(error))}${state}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function sqlStateOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/**
 * The part of an error that the log shows. It omits the message, which may contain values of players, and includes the
 * places in the code.
 */
export function loggable(error: unknown): { sqlstate: string | null; error: string; at: string[] } {
  const { name = typeof error, stack = '' } = (error ?? {}) as { name?: string; stack?: string };
  const at = stack.split('\n').flatMap((line) => (/^\s+at /.test(line) ? [line.trim()] : []));
  return { sqlstate: sqlStateOf(error) ?? null, error: name, at: at.slice(0, 5) };
}
