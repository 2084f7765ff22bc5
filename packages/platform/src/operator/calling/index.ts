/** Public exports of calling, a part of the operator stage; see ../README.md. */
export { BonusLists } from './bonus-list/bonus-lists.ts';
export { judgeList } from './bonus-list/judge-list.ts';
export { guardedConnector, isMetadataAddress } from './client/addresses.ts';
export { type OperatorEndpoint, operatorEndpoints } from './client/endpoints.ts';
export type { CallFailure } from './client/failures.ts';
export {
  type CallAnswer,
  type CallResult,
  type OperatorCall,
  OperatorClient,
  writtenRequest,
} from './client/operator-client.ts';
export { OperatorClients } from './client/operator-clients.ts';
export type { StreamResult } from './client/stream.ts';
export { slotsToWrite, type WritingEndpoint } from './client/write-slots.ts';
export { Circuit, circuitStates } from './health/circuit.ts';
export { type EndpointCircuit, readCircuits } from './health/circuit-store.ts';
export { EndpointCircuits, type EndpointObservation } from './health/circuits.ts';
export { type JudgedCall, OperatorHealth } from './health/endpoint-health.ts';
export { type EndpointHealth, readEndpoints } from './health/health-store.ts';
export { latencyBoundsMs } from './health/latency.ts';
export type { WaitingCalls } from './health/waiting.ts';
export {
  isRefusal,
  type JsonObject,
  refusedDetail,
  storableDetail,
  storableObject,
  storableStart,
  storableText,
} from './storable.ts';
