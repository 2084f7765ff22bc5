/** Microseconds since 1970-01-01T00:00:00Z. A safe integer until the year 2255, so plain arithmetic is exact. */
export type Micros = number;

/**
 * A decimal number as canonical text: no exponent, no leading `+`, no unnecessary zeros ("10", "0.05"). Once parsed,
 * money is never a binary floating point number (docs/reference/decisions.md 1, "Money"). Arithmetic uses big.js where
 * needed.
 */
export type DecimalText = string;
