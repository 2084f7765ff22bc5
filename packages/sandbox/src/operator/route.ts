import type { EndpointName } from './dials.ts';

export type Route = { found: true; endpoint: EndpointName; user_id?: string } | { found: false; status: 404 | 405 };

/** Endpoints with a fixed path. The path has no prefix. */
const fixed: Record<string, { method: string; endpoint: EndpointName }> = {
  '/bonus/credit': { method: 'POST', endpoint: 'bonus_credit' },
  '/bonus/credit/funds': { method: 'POST', endpoint: 'bonus_credit_funds' },
  '/bonus/list': { method: 'GET', endpoint: 'bonus_list' },
  '/reconciliation': { method: 'POST', endpoint: 'reconciliation' },
  '/authenticate': { method: 'POST', endpoint: 'authenticate' },
  '/oauth/token': { method: 'POST', endpoint: 'token' },
};

/** Endpoints whose path ends in /:userid, by the first segment of the path, and then by method. */
const byUser: Record<string, Partial<Record<string, EndpointName>>> = {
  userdetails: { GET: 'userdetails' },
  userconsents: { GET: 'userconsents', POST: 'userconsents_write' },
  userblocks: { GET: 'userblocks', POST: 'userblocks_write' },
};

/** Finds the endpoint of a path (without prefix and query). The user id is percent-decoded. */
export function route(method: string, path: string): Route {
  const known = fixed[path];
  if (known !== undefined) {
    return known.method === method ? { found: true, endpoint: known.endpoint } : { found: false, status: 405 };
  }
  const slash = path.indexOf('/', 1);
  const methods = slash < 0 ? undefined : byUser[path.slice(1, slash)];
  const segment = path.slice(slash + 1);
  if (methods === undefined || segment === '' || segment.includes('/')) return { found: false, status: 404 };
  const endpoint = methods[method];
  if (endpoint === undefined) return { found: false, status: 405 };
  try {
    return { found: true, endpoint, user_id: decodeURIComponent(segment) };
  } catch {
    return { found: false, status: 404 };
  }
}
