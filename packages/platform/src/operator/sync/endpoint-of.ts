import type { OperatorEndpoint } from '../client/endpoints.ts';
import type { LookUp } from '../judge/judgement.ts';

/** Which endpoint answers a look-up. */
export const endpointOf = {
  details: 'userdetails',
  consents: 'userconsents',
  blocks: 'userblocks',
} as const satisfies Record<LookUp, OperatorEndpoint>;
