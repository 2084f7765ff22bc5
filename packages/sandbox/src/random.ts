/**
 * Reproducible random numbers: the same seed gives the same players, traffic and faults, so that a failed run can be repeated.
 * Never for secrets.
 */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
  /**
   * Returns true with the given probability. It also draws a number at 0 and 1, so that a changed rate does not shift all
   * other draws.
   */
  chance(probability: number): boolean;
  /** Returns a whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  pick<const T extends readonly [unknown, ...unknown[]]>(choices: T): T[number];
  /** Returns an exponentially distributed number with the given mean: the gap between two events of a Poisson process. */
  gap(mean: number): number;
  /** Returns a log-normally distributed number: half of all draws are below `p50`, 99 % below `p99`. */
  skewed(p50: number, p99: number): number;
}

/** Returns 32 bits of FNV-1a, mixed once more so that similar texts ("p1", "p2") give unrelated numbers. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The standard normal distribution's 99th percentile, which converts (p50, p99) into the sigma of a log-normal one. */
const z99 = 2.3263;

/**
 * The generator is sfc32. It is fast, has 128 bits of state, and its quality is sufficient: PractRand finds no defect in
 * terabytes of output.
 */
export function seededRandom(seed: number | string): Random {
  const text = String(seed);
  let a = hashText(`${text}/a`);
  let b = hashText(`${text}/b`);
  let c = hashText(`${text}/c`);
  let counter = 1;

  function next(): number {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  }

  for (let i = 0; i < 12; i++) next();

  function gap(mean: number): number {
    return -Math.log(1 - next()) * mean;
  }

  return {
    next,
    gap,
    chance: (probability) => next() < probability,
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (choices) => choices[Math.floor(next() * choices.length)],
    skewed(p50, p99) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return p50 * Math.exp((Math.log(Math.max(p99, p50) / p50) / z99) * normal);
    },
  };
}
