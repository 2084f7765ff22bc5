import type { Micros } from '@croupier/contracts';
import type { OperatorEndpoint } from '../client/endpoints.ts';

/** Calls that wait for an endpoint. No figure exceeds `mostCounted`, which therefore means "that many or more". */
export interface WaitingCalls {
  endpoint: OperatorEndpoint;
  /** Calls that are due now, or in progress. */
  due: number;
  oldest_due_at: Micros | null;
  /** Calls that wait for their next try. */
  retrying: number;
  /** Calls for players whom the operator does not know. */
  parked: number;
}
