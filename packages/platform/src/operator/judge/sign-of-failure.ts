import { storableStart } from '../storable.ts';
import { isObject } from './answer.ts';

const maxQuote = 200;

/**
 * What in the JSON body of a 2xx says that nothing was done: `error`, `errors` that are not empty, `success: false`, or
 * `status` error or failed (decisions.md 5; for writes, decisions.md 4: a 200 alone proves nothing). Names and words in any
 * case.
 *
 * @returns the sign as a person reads it; undefined: there is none.
 */
export function signOfFailure(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  for (const [name, value] of Object.entries(body)) {
    if (isSign(name.toLowerCase(), value)) return `${name}: ${storableStart(JSON.stringify(value), maxQuote)}`;
  }
  return undefined;
}

function isSign(name: string, value: unknown): boolean {
  switch (name) {
    case 'error':
    case 'errors':
      return !isEmpty(value);
    case 'success':
      return value === false || String(value).toLowerCase() === 'false';
    case 'status':
      return ['error', 'failed'].includes(String(value).toLowerCase());
    default:
      return false;
  }
}

/** Envelopes carry `error: null`, `error: false`, `error: 0` or an empty list when all is well. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return !value || value === 'false';
}
