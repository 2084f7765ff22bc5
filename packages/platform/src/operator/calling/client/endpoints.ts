/**
 * The operator's endpoints, with the names used in health and problems (docs/reference/interface.md, Endpoints A, and the
 * optional ones of docs/reference/decisions.md 4). `token` is the OAuth endpoint, which may be on another host.
 */
export const operatorEndpoints = [
  'userdetails',
  'userconsents',
  'userblocks',
  'userconsents_write',
  'userblocks_write',
  'bonus_credit',
  'bonus_credit_funds',
  'bonus_list',
  'reconciliation',
  'authenticate',
  'token',
] as const;
export type OperatorEndpoint = (typeof operatorEndpoints)[number];
