import type { EndpointObservation, JudgedCall } from '../../operator/calling/index.ts';
import { pauseMs } from '../../outgoing/index.ts';
import type { JudgedAnswer } from './attempt.ts';

/** Statuses with which a working operator refuses a credit, because of the player or the bonus. They are no sign of a fault. */
const plainNo: ReadonlySet<number> = new Set([400, 403, 409, 422]);

/** What a call shows about its endpoint, for its health and its circuit. Null if there was no call. */
export function endpointReportOf({ result, judgment, took_ms }: JudgedAnswer): {
  health: Omit<JudgedCall, 'brand_id' | 'endpoint'>;
  circuit: EndpointObservation;
} | null {
  if (result === 'unsent' || took_ms === null) return null;
  const { call, detail } = judgment;
  const status = result.answered ? result.status : 0;
  const works = call.outcome === 'credited' || plainNo.has(status);
  const reason = call.outcome === 'credited' ? '' : call.reason;
  return {
    health: {
      took_ms,
      authenticated: result.answered && status !== 401 && status !== 403,
      failure: works ? undefined : { reason, detail: detail ?? reason },
    },
    circuit: {
      alive: works || (result.answered && status < 500 && call.outcome !== 'retry'),
      pause_ms: status === 429 ? pauseMs(pauseOf(call)) : undefined,
    },
  };
}

function pauseOf(call: JudgedAnswer['judgment']['call']): number | undefined {
  return call.outcome === 'retry' ? call.retry_after_ms : undefined;
}
