import type { Micros } from '@croupier/contracts';

/**
 * How long a message waits to be sent if its order sets no limit: 3 days, because older news is no longer relevant. A step of a campaign
 * that is held until enough is known about its player waits as long.
 */
export const messageLife: Micros = 3 * 24 * 3_600_000_000;
