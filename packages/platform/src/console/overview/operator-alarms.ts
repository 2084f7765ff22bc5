import type { Micros } from '@croupier/contracts';
import type { EndpointHealth } from '../../operator/calling/index.ts';
import { alarmText } from './alarm-texts.ts';
import type { Alarm } from './alarms.ts';

export interface OperatorAlarmFacts {
  /** Endpoints of the operator whose last calls failed. */
  failing_endpoints: readonly { endpoint: string; failures_in_a_row: number; failing_since: Micros | null }[];
  /** The operator's answers about session ids within `sessionChecksFor`; undefined if it was never asked. */
  session_checks?: { answered: number; last_valid_at: Micros | null } | undefined;
  /** Endpoints that some worker does not call, or only probes. */
  open_circuits: readonly { endpoint: string; state: 'open' | 'probing' | 'paused'; open_since: Micros | null }[];
}

/** A single failed call is normal. This many failures in a row are an outage. */
const outageFrom = 5;
/** Session ids expire, and people try wrong ones. But this many answers without a single valid session have another cause. */
const refusalsFrom = 20;
const refusedFor: Micros = 60 * 60_000_000;
/** Answers about session ids of this last period count. */
export const sessionChecksFor: Micros = refusedFor;

/** One line per endpoint with problems. The line about an open circuit already covers the failures of its endpoint. */
export function operatorAlarms(
  { failing_endpoints, open_circuits, session_checks }: OperatorAlarmFacts,
  now: Micros,
): Alarm[] {
  const open = open_circuits.filter(({ state }) => state !== 'paused');
  const isOpen = new Set(open.map(({ endpoint }) => endpoint));
  const list = '/operator-health';
  return [
    ...sessionAlarms(session_checks, now),
    ...open.map(({ endpoint, open_since }): Alarm => {
      const message = alarmText((texts) => texts.circuitOpen(endpoint));
      return { code: 'circuit_open', severity: 'critical', message, since: open_since, list };
    }),
    ...failing_endpoints
      .filter(({ endpoint, failures_in_a_row }) => failures_in_a_row >= outageFrom && !isOpen.has(endpoint))
      .map(({ endpoint, failures_in_a_row, failing_since }): Alarm => {
        const message = alarmText((texts) => texts.operatorFailing(endpoint, failures_in_a_row));
        return { code: 'operator_failing', severity: 'critical', message, since: failing_since, list };
      }),
  ];
}

/** For an endpoint that refuses, "authenticated" is the last time it accepted (site/session/operator-sids.ts). */
export function sessionChecksOf(endpoints: readonly EndpointHealth[]): OperatorAlarmFacts['session_checks'] {
  const asked = endpoints.find(({ endpoint }) => endpoint === 'authenticate');
  return asked && { answered: asked.recent.successes, last_valid_at: asked.last_authenticated_at };
}

/** An operator that refuses every session appears healthy, because it answers. But no player can sign in. */
function sessionAlarms(checks: OperatorAlarmFacts['session_checks'], now: Micros): Alarm[] {
  if (checks === undefined || checks.answered < refusalsFrom) return [];
  const { answered, last_valid_at: since } = checks;
  if (since !== null && now - since < refusedFor) return [];
  const message = alarmText((texts) => texts.sessionsRefused(answered));
  return [{ code: 'sessions_refused', severity: 'critical', message, since, list: '/operator-health' }];
}
