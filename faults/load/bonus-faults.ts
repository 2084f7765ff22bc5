import type { Dial, Fault } from '@croupier/sandbox';

/*
 * All faults of bonus calls, mixed by their rates. Some faults look the same to the caller whether or not the bonus was credited. Each
 * of them occurs in both forms: "credited, then timed out" and "timed out, never credited".
 */
const bothSides = (fault: Fault, rate: number): Fault[] =>
  (['before_effect', 'after_effect'] as const).map((when) => ({ ...fault, rate, when }) as Fault);

/** Six calls in ten fail. */
const faults: Fault[] = [
  ...bothSides({ fault: 'timeout' }, 0.03),
  ...bothSides({ fault: 'status', status: 500 }, 0.05),
  ...bothSides({ fault: 'status', status: 503 }, 0.02),
  ...bothSides({ fault: 'reset', at: 'before_headers' }, 0.03),
  ...bothSides({ fault: 'reset', at: 'in_headers' }, 0.03),
  ...bothSides({ fault: 'reset', at: 'in_body' }, 0.03),
  ...bothSides({ fault: 'error_body' }, 0.03),
  ...bothSides({ fault: 'status', status: 409 }, 0.01),
  // With these answers, the operator states that it did nothing (docs/reference/decisions.md 5). If it credited the bonus anyway, that
  // would be an error of the operator.
  { fault: 'status', status: 400, when: 'before_effect', rate: 0.04 },
  { fault: 'status', status: 429, when: 'before_effect', rate: 0.02 },
  { fault: 'unauthorized', rate: 0.03 },
  // Credited, but answered wrongly.
  { fault: 'wrong_body', shape: 'html', rate: 0.03 },
  { fault: 'malformed_utf8', rate: 0.01 },
  { fault: 'drip', bytes_per_second: 20, rate: 0.02 },
];

export const brokenBonuses: Dial = { delay_ms: { p50: 5, p99: 60 }, faults };
