import type { Micros } from '@croupier/contracts';

const second: Micros = 1_000_000;

/**
 * How long parked events wait before each retry. Most causes end with a new version of the platform or a change of its
 * data.
 */
const delays: readonly Micros[] = [10, 60, 300, 1_800, 7_200, 43_200, 86_400].map((n) => n * second);

/** @param attempts the number of failed tries since the events were parked */
export function retryDelay(attempts: number): Micros {
  return delays[Math.min(attempts, delays.length - 1)] as Micros;
}
