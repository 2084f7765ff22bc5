import type { Code } from './code.ts';

/** Reads a market: the operator's own term, in lower case. Every market is valid. */
export function readMarket(text: string): Code {
  return { code: text.trim().toLowerCase(), known: true };
}

/**
 * Reads a mobile prefix, which may begin with `+`, with `00` or with neither. Spaces and punctuation are removed, and
 * the result begins with `+`. Any other text is only trimmed, and counts as unknown.
 */
export function readMobilePrefix(text: string): Code {
  const digits = text.replace(/[\s().-]/g, '').replace(/^(\+|00)/, '');
  return /^[1-9]\d{0,5}$/.test(digits) ? { code: `+${digits}`, known: true } : { code: text.trim(), known: false };
}
