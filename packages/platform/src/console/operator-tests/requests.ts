import { bonusRequestOf } from '../../actions/index.ts';
import type { Brand, OperatorAuth, OperatorSettings } from '../../brands/index.ts';
import { type OperatorCall, writtenRequest } from '../../operator/calling/index.ts';
import { listCall } from '../../operator/reconciliation/index.ts';
import { requestBody } from '../../operator/writeback/index.ts';
import { mask } from '../access/masking.ts';
import type { TestedEndpoint } from './endpoints.ts';

/** The list that a test requests. It is the one that matters most, and usually the shortest. */
export const testedList = 'excluded';

/** The call of a test. Pure. */
export function testCall(
  endpoint: Exclude<TestedEndpoint, 'token'>,
  about: { user_id: string; sid: string; operator: Pick<OperatorSettings, 'authenticate_path'> },
): OperatorCall {
  switch (endpoint) {
    case 'userdetails':
    case 'userconsents':
    case 'userblocks':
      return { method: 'GET', path: [endpoint, about.user_id] };
    case 'bonus_list':
      return { method: 'GET', path: ['bonus', 'list'] };
    case 'reconciliation':
      return listCall(testedList);
    case 'authenticate':
      return {
        method: 'POST',
        path: about.operator.authenticate_path.split('/').filter(Boolean),
        body: { sid: about.sid },
      };
  }
}

/** In place of the id of an intent that does not exist yet. */
const idOfIntent = '(id of the intent)';

/** The call that a bonus or funds for the player would cause. Pure. */
export function bonusCall(
  brand: Brand & { operator: OperatorSettings },
  user_id: string,
  bonus: { bonus_code: string; amount: string | null; currency: string | null },
): OperatorCall {
  const references = { activity_id: null, action_id: null, action_group_id: null, trigger_hash: null };
  const kind = bonus.amount === null ? 'bonus' : 'funds';
  return bonusRequestOf({ intent_id: idOfIntent, kind, ...bonus, extra: {}, ...references }, user_id, brand);
}

/** The call that a changed consent or block of the player would cause. Pure. */
export function writeCall(
  record: 'consents' | 'blocks',
  user_id: string,
  change: { type: string; value: boolean; note: string; spelling: string | null },
): OperatorCall {
  const { type, value, note, spelling } = change;
  const item = { item_id: 0, type, spelling, wanted: value, note, reason: null, tries: 0 };
  return { method: 'POST', path: [`user${record}`, user_id], body: requestBody(record, [item]) };
}

export interface ShownRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** The request of a call as it is sent, with masked credentials and session id. Pure. */
export function shownRequest(operator: Pick<OperatorSettings, 'base_url' | 'auth'>, call: OperatorCall): ShownRequest {
  const base = URL.parse(operator.base_url);
  const masked = hasSid(call.body) ? { ...call, body: { sid: mask } } : call;
  const { method, path, headers, body } = writtenRequest(base ?? new URL('http://invalid'), masked);
  const url = base === null ? operator.base_url : `${base.origin}${path}`;
  return { method, url, headers: { ...headers, ...credentials(operator.auth) }, body: body?.toString('utf8') ?? null };
}

/** The request for an OAuth token. Pure. */
export function shownTokenRequest({ token_url, scope }: Extract<OperatorAuth, { type: 'oauth2' }>): ShownRequest {
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${mask}` };
  return { method: 'POST', url: token_url, headers, body: form.toString() };
}

function hasSid(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'sid' in body;
}

function credentials(auth: OperatorAuth): Record<string, string> {
  switch (auth.type) {
    case 'api_key':
      return { [auth.header.toLowerCase()]: mask };
    case 'basic':
      return { authorization: `Basic ${mask}` };
    case 'oauth2':
      return { authorization: `Bearer ${mask}` };
  }
}
