import type { Language } from '../../language.ts';
import {
  type EndpointCircuit,
  type EndpointHealth,
  latencyBoundsMs,
  type OperatorEndpoint,
  operatorEndpoints,
  type WaitingCalls,
} from '../../operator/calling/index.ts';
import { inLanguage } from '../language/translate.ts';
import { quantile } from '../overview/quantile.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';

const latencyBounds = [...latencyBoundsMs, Number.POSITIVE_INFINITY];

export interface HealthReadings {
  endpoints: readonly EndpointHealth[];
  circuits: readonly EndpointCircuit[];
  waiting: readonly WaitingCalls[];
}

/** Every endpoint, in the order of the interface. Endpoints that were never called are `unused`. */
export function presentHealth({ endpoints, circuits, waiting }: HealthReadings, language: Language) {
  return operatorEndpoints.map((endpoint) => {
    const isIt = (one: { endpoint: OperatorEndpoint }) => one.endpoint === endpoint;
    return {
      endpoint,
      ...presentCalls(endpoints.find(isIt), language),
      circuit: presentCircuit(circuits.find(isIt)),
      waiting: presentWaiting(waiting.find(isIt)),
    };
  });
}

function presentCircuit(circuit: EndpointCircuit | undefined) {
  return {
    state: circuit?.state ?? ('closed' as const),
    processes: circuit?.processes ?? 0,
    open_since: momentTextOrNull(circuit?.open_since ?? null),
    next_call_at: momentTextOrNull(circuit?.next_call_at ?? null),
  };
}

function presentWaiting(waiting: WaitingCalls | undefined) {
  const { due = 0, retrying = 0, parked = 0, oldest_due_at = null } = waiting ?? {};
  return { due, oldest_due_at: momentTextOrNull(oldest_due_at), retrying, parked };
}

function presentCalls(health: EndpointHealth | undefined, language: Language) {
  const { successes = 0, failures = 0, failures_in_a_row = 0 } = health ?? {};
  const recent = health?.recent ?? { successes: 0, failures: 0, latency: [] };
  const calls = recent.successes + recent.failures;
  return {
    state: stateOf({ successes, failures, failures_in_a_row }),
    successes,
    failures,
    failures_in_a_row,
    failing_since: momentTextOrNull(health?.failing_since ?? null),
    last_success: momentTextOrNull(health?.last_success_at ?? null),
    last_error: presentError(health, language),
    last_authenticated_at: momentTextOrNull(health?.last_authenticated_at ?? null),
    recent: {
      successes: recent.successes,
      failures: recent.failures,
      success_rate: calls === 0 ? null : recent.successes / calls,
      p50_ms: quantile(recent.latency, latencyBounds, 0.5),
      p99_ms: quantile(recent.latency, latencyBounds, 0.99),
    },
  };
}

function presentError(health: EndpointHealth | undefined, language: Language) {
  if (health === undefined || health.last_failure_at === null) return null;
  const { last_failure_at, last_failure, last_failure_detail } = health;
  const detail = inLanguage(last_failure_detail ?? '', language);
  return { at: momentText(last_failure_at), reason: last_failure ?? '', detail };
}

function stateOf({
  successes,
  failures,
  failures_in_a_row,
}: Pick<EndpointHealth, 'successes' | 'failures' | 'failures_in_a_row'>): 'unused' | 'working' | 'failing' {
  if (failures_in_a_row > 0) return 'failing';
  return successes + failures > 0 ? 'working' : 'unused';
}
