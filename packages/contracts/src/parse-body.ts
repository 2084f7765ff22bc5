import type { FieldError } from './field-error.ts';
import { digitsOf, plainText } from './numbers/digits.ts';
import type { Rule } from './rules.ts';

export type BodyParsing = { ok: true; body: unknown } | { ok: false; error: FieldError };

/** Deeper bodies carry nothing the interface knows, and would exhaust the stack of whoever walks them. */
const maxDepth = 64;

/** Powers of ten that a binary number holds with all of its 15 digits. */
const binaryRange = 300;
/** A number with more zeros keeps its exponent, so that `1e999999999` does not become a gigabyte of text. */
const maxPlainZeros = 400;

/** A number may be long (16 digits or more) or have a huge exponent: only then is its source text looked at. */
const mayRound = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/**
 * Parses a JSON body without ever rounding a number: one that a binary number cannot hold exactly (more than 15
 * significant digits, or out of range) comes back as its exact text in normal form, however it was spelled. Ids beyond
 * 2^53 and long amounts stay exact that way (decisions.md 1, "Ids", "Money").
 *
 * The usual body costs one JSON.parse and one scan of its text.
 */
export function parseBody(text: string): BodyParsing {
  let body: unknown;
  try {
    const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    body = mayRound.test(json) ? JSON.parse(json, exactNumber as JsonReviver) : JSON.parse(json);
  } catch {
    return refused(
      'json',
      'The body must be valid JSON; check quotes, commas and that the whole body was sent as UTF-8.',
    );
  }
  if (isDeeper(body, maxDepth))
    return refused('json_depth', `The body must not nest deeper than ${maxDepth} levels; send flat objects.`);
  return { ok: true, body };
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

/** JSON.parse hands the source text of every number to its reviver (ECMAScript "JSON.parse source text access"). */
function exactNumber(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined) return value;
  return exactText(context.source) ?? value;
}

/** The normal form of a number that binary cannot hold exactly; undefined when it can. */
function exactText(source: string): string | undefined {
  const digits = digitsOf(source);
  if (digits === undefined || digits.significant === '') return undefined;
  const { negative, significant, point } = digits;
  if (significant.length <= 15 && Math.abs(point) < binaryRange) return undefined;
  if (Math.abs(point) <= maxPlainZeros) return plainText(digits);
  return `${negative ? '-' : ''}${significant}e${point - significant.length}`;
}
