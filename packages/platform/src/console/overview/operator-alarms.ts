import type { Micros } from '@croupier/contracts';
import type { Alarm } from './alarms.ts';

export interface OperatorAlarmFacts {
  /** Endpoints of the operator whose last calls failed. */
  failing_endpoints: readonly { endpoint: string; failures_in_a_row: number; failing_since: Micros | null }[];
  /** Endpoints that some worker does not call, or only by probes. */
  open_circuits: readonly { endpoint: string; state: 'open' | 'probing' | 'paused'; open_since: Micros | null }[];
}

/** One failed call is weather; this many in a row, without one success between them, are an outage. */
const outageFrom = 5;

/** One line per endpoint in trouble: an open circuit says all that its failures do. */
export function operatorAlarms({ failing_endpoints, open_circuits }: OperatorAlarmFacts): Alarm[] {
  const open = open_circuits.filter(({ state }) => state !== 'paused');
  const isOpen = new Set(open.map(({ endpoint }) => endpoint));
  const list = '/operator-health';
  return [
    ...open.map(({ endpoint, open_since }): Alarm => {
      const message = `The operator's ${endpoint} only fails: it is called by single probes until it answers. What waits for it keeps its place.`;
      return { code: 'circuit_open', severity: 'critical', message, since: open_since, list };
    }),
    ...failing_endpoints
      .filter(({ endpoint, failures_in_a_row }) => failures_in_a_row >= outageFrom && !isOpen.has(endpoint))
      .map(({ endpoint, failures_in_a_row, failing_since }): Alarm => {
        const message = `The operator's ${endpoint} has failed ${failures_in_a_row} times in a row.`;
        return { code: 'operator_failing', severity: 'critical', message, since: failing_since, list };
      }),
  ];
}
