import type { Micros } from '@croupier/contracts';

/** Now. A parameter wherever a decision depends on the time, so that a test can hold the clock. */
export type Clock = () => Micros;

/**
 * The machine's clock, to the millisecond. It may step; what measures a length of time uses `performance.now()`.
 */
export const systemClock: Clock = () => Date.now() * 1000;
