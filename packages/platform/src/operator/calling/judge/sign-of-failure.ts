import { storableStart } from '../storable.ts';
import { isObject } from './answer.ts';
import type { JsonObject } from './judgement.ts';

const maxQuote = 200;

/**
 * What in the JSON body of a 2xx says that nothing was done: `error`, `errors` that are not empty, `success: false`, or
 * `status` error or failed (docs/reference/decisions.md 5; for writes, docs/reference/decisions.md 4: a 200 alone proves nothing). Names and words in any
 * case, because the envelopes in use differ in nothing else; some are in a list of one.
 *
 * @param body any bytes. Those that are no UTF-8 become replacement characters; the structure around them can still say no.
 * @returns the sign as a person reads it; undefined: there is none.
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
 * The same of a look-up's body that holds its record. There `status` is no sign: records carry fields of the operator's own,
 * and a player's `status` is one of the likeliest.
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

/** Not parseBody, which refuses what is nested too deep: an error that deep is one all the same. */
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

/** Envelopes carry `error: null`, `error: false`, `error: 0` or an empty list when all is well. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return !value || wordOf(value) === 'false';
}

/** What can be parsed cannot always be written again: V8 reads any depth, and writes some thousands. */
function quoteOf(value: unknown): string {
  try {
    return storableStart(JSON.stringify(value), maxQuote);
  } catch {
    return 'something nested too deep to be shown';
  }
}
