import type { Code } from './code.ts';

/** A market: the operator's own term in lower case. All of them are valid. */
export function readMarket(text: string): Code {
  return { code: text.trim().toLowerCase(), known: true };
}

/** A mobile prefix with or without `+` (or `00`), as its digits with a `+`. Other characters are removed. */
export function readMobilePrefix(text: string): Code {
  const digits = text.replace(/[\s().-]/g, '').replace(/^(\+|00)/, '');
  return /^[1-9]\d{0,5}$/.test(digits) ? { code: `+${digits}`, known: true } : { code: text.trim(), known: false };
}
