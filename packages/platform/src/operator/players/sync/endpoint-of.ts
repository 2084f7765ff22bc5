import type { LookUp, OperatorEndpoint } from '../../calling/index.ts';

/** Which endpoint answers a look-up. */
export const endpointOf = {
  details: 'userdetails',
  consents: 'userconsents',
  blocks: 'userblocks',
} as const satisfies Record<LookUp, OperatorEndpoint>;
