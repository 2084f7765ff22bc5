import type { OperatorEndpoint } from '../../calling/index.ts';
import type { LookUp } from '../../judging/index.ts';

/** The endpoint of each look-up. */
export const endpointOf = {
  details: 'userdetails',
  consents: 'userconsents',
  blocks: 'userblocks',
} as const satisfies Record<LookUp, OperatorEndpoint>;
