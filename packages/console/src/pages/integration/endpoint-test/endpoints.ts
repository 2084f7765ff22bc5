import type { Permission } from '../../../ui/may.tsx';
import type { BrandShown } from '../../messages/queries.ts';

/** Endpoints whose test changes nothing at the operator. */
export const safeEndpoints = [
  'userdetails',
  'userconsents',
  'userblocks',
  'bonus_list',
  'reconciliation',
  'authenticate',
  'token',
] as const;
export type SafeEndpoint = (typeof safeEndpoints)[number];

export type ChangingEndpoint = 'userconsents_write' | 'userblocks_write' | 'bonus_credit' | 'bonus_credit_funds';
export type Endpoint = SafeEndpoint | ChangingEndpoint;

export const isSafe = (endpoint: Endpoint): endpoint is SafeEndpoint => safeEndpoints.some((one) => one === endpoint);

/** The permission that a test of the endpoint needs. Pure. */
export function permissionOf(endpoint: Endpoint): Permission {
  if (isSafe(endpoint)) return 'player.refresh';
  return endpoint === 'userconsents_write' || endpoint === 'userblocks_write' ? 'player.protect' : 'bonus.credit';
}

/** Why the endpoint cannot be tested with these settings. Undefined if it can. Pure. */
export function obstacleOf(
  endpoint: Endpoint,
  { operator, test_user_id }: Pick<BrandShown, 'operator' | 'test_user_id'>,
): 'needsTestUser' | 'noOauth' | 'noBlocks' | undefined {
  if (endpoint === 'token') return operator?.auth === 'oauth2' ? undefined : 'noOauth';
  if (endpoint === 'bonus_list' || endpoint === 'reconciliation' || endpoint === 'authenticate') return undefined;
  if (test_user_id === null) return 'needsTestUser';
  return endpoint === 'userblocks_write' && operator?.write_blocks !== true ? 'noBlocks' : undefined;
}
