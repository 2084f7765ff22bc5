import { type JsonObject, storableStart } from '../calling/index.ts';
import { isObject } from './answer.ts';

const maxQuote = 200;

/**
 * Finds a sign in the JSON body of a 2xx that nothing was done: `error`, `errors` that are not empty, `success: false`, or
 * `status` error or failed (docs/reference/decisions.md 5). For writes, a 200 alone proves nothing (docs/reference/decisions.md
 * 4). Upper and lower case make no difference, because known envelopes differ only in them. Some envelopes are wrapped in a list of one.
 *
 * @param body any bytes. Bytes that are not UTF-8 become replacement characters; the structure around them can still report a
 * failure.
 * @returns the sign in readable form; undefined if there is none
 */
export function signOfFailure(body: Buffer): string | undefined {
  const parsed = parse(body);
  for (const one of Array.isArray(parsed) ? parsed : [parsed]) {
    const sign = isObject(one) ? signIn(one) : undefined;
    if (sign !== undefined) return sign;
  }
  return undefined;
}

/**
 * The same for a look-up's body that contains its record. There `status` is not a sign: operators add fields to records, and
 * the `status` of a player is a likely one.
 */
export function signBesideRecord(body: JsonObject): string | undefined {
  return signIn(body, (name) => name !== 'status');
}

function signIn(body: JsonObject, counts: (name: string) => boolean = () => true): string | undefined {
  for (const [spelling, value] of Object.entries(body)) {
    const name = spelling.toLowerCase();
    if (counts(name) && isSign(name, value)) return `${spelling}: ${quoteOf(value)}`;
  }
  return undefined;
}

/**
 * Does not use parseBody, because that refuses bodies that are nested too deeply, and a deeply nested error is still an
 * error.
 */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function isSign(name: string, value: unknown): boolean {
  switch (name) {
    case 'error':
    case 'errors':
      return !isEmpty(value);
    case 'success':
      return wordOf(value) === 'false';
    case 'status':
      return ['error', 'failed'].includes(wordOf(value));
    default:
      return false;
  }
}

function wordOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value).trim().toLowerCase();
}

/** Envelopes carry `error: null`, `error: false`, `error: 0` or an empty list if there was no error. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return !value || wordOf(value) === 'false';
}

/**
 * A value that was parsed cannot always be serialized: V8 parses any depth, but serializes only some thousand levels.
 */
function quoteOf(value: unknown): string {
  try {
    return storableStart(JSON.stringify(value), maxQuote);
  } catch {
    return 'a value that is nested too deeply to be shown';
  }
}
