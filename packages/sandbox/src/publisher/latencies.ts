/**
 * Maximum number of latencies that are kept for the percentiles of one reporting window. Above it, each new one replaces an
 * old one.
 */
const windowLimit = 50_000;

export function createLatencies() {
  let window: number[] = [];
  let seen = 0;
  return {
    add(milliseconds: number): void {
      seen += 1;
      if (window.length < windowLimit) window.push(milliseconds);
      else window[seen % windowLimit] = milliseconds;
    },
    /** Returns the percentiles since the last call, in milliseconds. They are null if nothing was measured. */
    take(): { p50: number | null; p99: number | null } {
      const sorted = window.sort((a, b) => a - b);
      window = [];
      seen = 0;
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
      return { p50: at(0.5), p99: at(0.99) };
    },
  };
}
