import type { Micros } from '@croupier/contracts';

/**
 * Returns the current time. Every decision that depends on the time takes it as a parameter, so that a test can hold
 * the clock.
 */
export type Clock = () => Micros;

/**
 * The machine's clock, to the millisecond. It may step, so code that measures a duration uses `performance.now()`.
 */
export const systemClock: Clock = () => Date.now() * 1000;
