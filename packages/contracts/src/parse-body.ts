import { exceededLimit, maxDepth, maxMembers } from './body-bounds.ts';
import type { FieldError } from './field-error.ts';
import { type Digits, digitsOf, plainText } from './numbers/digits.ts';
import { keepMarks, markNumber, type NumberMarks } from './numbers/number-marks.ts';
import type { Rule } from './rules.ts';

export type BodyParsing = { ok: true; body: unknown } | { ok: false; error: FieldError };

/**
 * Up to this power of ten, positive or negative, a binary number represents a decimal number with all of its 15 digits.
 */
const binaryRange = 300;
/** A number with more zeros keeps its exponent, so that `1e999999999` does not become a gigabyte of text. */
const maxPlainZeros = 400;

/**
 * Matches long numbers (16 digits or more) and huge exponents. The source text of numbers is used only if it matches.
 */
const mayRound = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/**
 * Parses a JSON body without ever rounding a number. A number that binary cannot represent exactly (more than 15
 * significant digits, or out of range) is returned as its exact text. This text has a normal form that does not depend
 * on the spelling. So ids beyond 2^53 and long amounts stay exact (docs/reference/decisions.md 1, "Ids", "Money").
 *
 * A typical body costs one JSON.parse and one scan of its text. For a long body, the limits of body-bounds.ts are
 * checked first, so that no body of 1 MiB can block the process.
 *
 * @param options.members the maximum number of members and entries together; default 150,000
 */
export function parseBody(text: string, { members = maxMembers }: { members?: number } = {}): BodyParsing {
  const exceeded = exceededLimit(text, members);
  if (exceeded === 'depth') return tooDeep();
  if (exceeded === 'members')
    return refused('json_members', `The body must not have more than ${members} members; send one event per call.`);
  let body: unknown;
  try {
    const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    body = mayRound.test(json) ? parseExactly(json) : JSON.parse(json);
  } catch {
    return refused(
      'json',
      'The body must be valid JSON; check quotes and commas, and that the complete body was sent as UTF-8.',
    );
  }
  return isDeeper(body, maxDepth) ? tooDeep() : { ok: true, body };
}

function tooDeep(): BodyParsing {
  return refused('json_depth', `The body must not nest deeper than ${maxDepth} levels; send flat objects.`);
}

function refused(rule: Rule, message: string): BodyParsing {
  return { ok: false, error: { path: '', rule, message } };
}

function isDeeper(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  for (const entry of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof entry === 'object' && isDeeper(entry, left - 1)) return true;
  }
  return false;
}

type JsonReviver = (this: unknown, key: string, value: unknown) => unknown;

/** JSON.parse passes the source text of every number to its reviver (ECMAScript "JSON.parse source text access"). */
function parseExactly(json: string): unknown {
  const marks: NumberMarks = new Map();
  function exactNumber(this: object, key: string, value: unknown, context: { source?: string }): unknown {
    if (typeof value !== 'number' || context.source === undefined) return value;
    const digits = digitsOf(context.source);
    if (digits === undefined || isHeldExactly(digits)) return value;
    if (!isWholeAndPlain(digits)) markNumber(marks, this, key);
    return exactText(digits);
  }
  const body: unknown = JSON.parse(json, exactNumber as JsonReviver);
  keepMarks(body, marks);
  return body;
}

/** True if a binary number represents all of its digits. */
function isHeldExactly({ significant, point }: Digits): boolean {
  return significant === '' || (significant.length <= 15 && Math.abs(point) < binaryRange);
}

function isWholeAndPlain({ significant, point }: Digits): boolean {
  return point >= significant.length && point <= maxPlainZeros;
}

/** The normal form of a number that binary cannot represent exactly. */
function exactText(digits: Digits): string {
  const { negative, significant, point } = digits;
  if (Math.abs(point) <= maxPlainZeros) return plainText(digits);
  return `${negative ? '-' : ''}${significant}e${point - significant.length}`;
}
