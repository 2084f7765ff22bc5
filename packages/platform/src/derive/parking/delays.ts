import type { Micros } from '@croupier/contracts';

const second: Micros = 1_000_000;

/** How long parked events wait before each further try. Most causes go with a new version of the platform or its data. */
const delays: readonly Micros[] = [10, 60, 300, 1_800, 7_200, 43_200, 86_400].map((n) => n * second);

/** @param attempts tries that failed since the events were parked */
export function retryDelay(attempts: number): Micros {
  return delays[Math.min(attempts, delays.length - 1)] as Micros;
}
