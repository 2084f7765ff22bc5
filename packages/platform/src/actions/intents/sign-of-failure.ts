/*
 * Operators answer 200 and mean no (decisions.md 4 and 5). The signs are those of the decisions and no others: `error`, a
 * non-empty `errors`, `success: false`, `status` error or failed. Names and words count in any letter case, because the
 * envelopes in use differ in nothing else ({"Success": false, "Errors": [...]}).
 */

const longestSign = 200;

/** The sign of failure in the body of a 2xx, for people; null: there is none, and the call is a success. */
export function signOfFailure(body: Buffer): string | null {
  const parsed = parse(body);
  // Some wrap the answer in a list of one.
  const objects = Array.isArray(parsed) ? parsed : [parsed];
  for (const one of objects) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) continue;
    for (const [name, value] of Object.entries(one)) {
      if (isSign(name.toLowerCase(), value)) return `${name}: ${JSON.stringify(value)}`.slice(0, longestSign);
    }
  }
  return null;
}

function isSign(name: string, value: unknown): boolean {
  switch (name) {
    case 'error':
    case 'errors':
      return !isNothing(value);
    case 'success':
      return value === false || (typeof value === 'string' && value.trim().toLowerCase() === 'false');
    case 'status':
      return typeof value === 'string' && ['error', 'failed'].includes(value.trim().toLowerCase());
    default:
      return false;
  }
}

/** `"error": null` and its like are how many write "no error". */
function isNothing(value: unknown): boolean {
  if (value === null || value === false || value === '' || value === 0) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Bytes that are not UTF-8 become replacement characters; the structure around them can still say no. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
