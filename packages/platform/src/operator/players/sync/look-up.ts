import type { Brand } from '../../../brands/index.ts';
import type { Clock } from '../../../clock.ts';
import { pauseMs } from '../../../outgoing/index.ts';
import type { EndpointObservation, OperatorClient, OperatorHealth } from '../../calling/index.ts';
import { judge } from '../../judging/index.ts';
import type { LookUpResult } from '../records/apply-results.ts';
import type { LookUpClaim } from './claim-store.ts';
import { endpointOf } from './endpoint-of.ts';
import { nextTry } from './retry.ts';

/** The result of a look-up, for the player and for the endpoint. */
export interface LookedUp {
  result: LookUpResult;
  /** Alive if it answered about the player, even if it does not know the player. */
  endpoint: EndpointObservation;
}

/** Makes one look-up: calls, judges, counts, and decides what comes next. Never throws for an error of the operator. */
export async function lookUp(
  claim: LookUpClaim,
  deps: { client: OperatorClient; brand: Brand; health: OperatorHealth; clock: Clock; random: () => number },
): Promise<LookedUp> {
  const { brand_id, user_id, look_up } = claim;
  const endpoint = endpointOf[look_up];
  // The age of an answer counts from its request, because the answer may lack anything that happened at the operator
  // afterwards.
  const asked_at = deps.clock();
  const started = performance.now();
  const call = await deps.client.call({ method: 'GET', path: [endpoint, user_id] });
  const took_ms = performance.now() - started;
  const judgment = judge(look_up, call, { user_id, zone: deps.brand.settings.zoneless_timestamps });
  const status = call.answered ? call.status : 0;
  const authenticated = call.answered && status !== 401 && status !== 403;

  if (judgment.verdict === 'record') {
    deps.health.record({ brand_id, endpoint, took_ms, authenticated });
    const outcome = { found: judgment.record, problems: judgment.problems, asked_at };
    return { result: { claim, outcome }, endpoint: { alive: true } };
  }

  const unknown = judgment.verdict === 'unknown_player';
  const failure = unknown ? 'unknown_player' : judgment.failure;
  const retry_after_ms = unknown ? undefined : judgment.retry_after_ms;
  const { detail } = judgment;
  // A plain 404 means that the endpoint did its work. A 200 without the record is listed, because the operator should answer
  // 404.
  const counted = status === 404 ? undefined : { reason: failure, detail };
  deps.health.record({ brand_id, endpoint, took_ms, authenticated, failure: counted });
  const next = nextTry(failure, claim, { random: deps.random(), retry_after_ms });
  const pause_ms = failure === 'rate_limited' ? pauseMs(retry_after_ms) : undefined;
  return {
    result: { claim, outcome: { failure, detail, failed_at: deps.clock(), ...next } },
    endpoint: { alive: unknown, pause_ms },
  };
}
