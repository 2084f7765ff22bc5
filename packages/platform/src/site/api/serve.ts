import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Brand } from '../../brands/index.ts';
import { Allowance, type Rate } from '../../http/allowance.ts';
import { register } from '../../http/endpoints/register.ts';
import type { Caller } from '../session/caller.ts';
import type { SiteDeps } from './deps.ts';
import type { SiteCall, SiteEndpoint } from './endpoint.ts';
import { answered, SiteRefusal } from './envelope.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** For calls below /site/<brand>: the brand of the path. Null elsewhere. */
    siteBrand: Brand | null;
    siteCaller: Caller | null;
  }
}

/** Maximum body in bytes, if the endpoint sets no other. The largest, a tracked event with its data, has a few KiB. */
export const defaultBodyBytes = 64 * 1024;

/** Registers a call below /site/<brand>. */
export function serve(app: FastifyInstance, deps: SiteDeps, endpoint: SiteCall): void {
  const { may, unknown, withoutEnvelope = false } = endpoint;
  const takeFromLimits = limitsOf(endpoint, deps);
  register(app, endpoint, {
    clock: deps.clock,
    defaultBodyBytes,
    wrongPart: (part, [first]) => {
      if (part === 'path' && unknown !== undefined) return new SiteRefusal(unknown);
      return new SiteRefusal('invalid_request', first && { message: `${first.message}.` });
    },
    tooMany: (retryAfterSeconds) => new SiteRefusal('too_many_requests', { retryAfterSeconds }),
    // Runs before the body is read, so that the body of a refused call is never parsed.
    admit: async (request) => {
      if (may === 'anyone') return;
      const caller = await callerOf(deps, request, endpoint);
      request.siteCaller = caller;
      mustOffer(caller.brand, endpoint);
      takeFromLimits(caller);
    },
    handle: async (parts, request) => {
      const { siteCaller: caller } = request;
      if (may === 'player' && caller === null) throw new SiteRefusal('missing_session');
      const credential = credentialOf(request, endpoint);
      const data = await endpoint.handle({ ...parts, brand: brandOf(request), caller, credential }, deps);
      return withoutEnvelope ? data : answered(data ?? null);
    },
  });
}

async function callerOf(deps: SiteDeps, request: FastifyRequest, endpoint: SiteEndpoint): Promise<Caller> {
  const brand = brandOf(request);
  const admission = await deps.sessions.admit(brand, credentialOf(request, endpoint), request.ip);
  if (admission.caller !== undefined) return admission.caller;
  const { refused, retry_after_s: retryAfterSeconds } = admission;
  throw new SiteRefusal(refused, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

/** The header authtoken or sid, or, if the endpoint allows it, authToken in the query. */
function credentialOf(request: FastifyRequest, { credentialInQuery = false }: SiteEndpoint): string | undefined {
  const { authtoken, sid } = request.headers;
  const { authToken } = credentialInQuery ? (request.query as Record<string, unknown>) : {};
  return [authtoken, sid, authToken].find((one): one is string => typeof one === 'string' && one !== '');
}

function brandOf(request: FastifyRequest): Brand {
  if (request.siteBrand === null) throw new SiteRefusal('unknown_brand');
  return request.siteBrand;
}

function mustOffer({ settings }: Brand, { siteFunction }: SiteEndpoint): void {
  if (siteFunction !== undefined && !settings.site_functions[siteFunction]) throw new SiteRefusal('function_off');
}

/** @throws {SiteRefusal} too_many_requests, with the seconds after which to retry */
function limitsOf({ playerLimit, brandLimit }: SiteEndpoint, { clock }: SiteDeps): (caller: Caller) => void {
  const players = new Allowance<number>();
  const brands = new Allowance<number>();
  const take = (allowance: Allowance<number>, key: number, rate: Rate) => {
    const retryAfterSeconds = allowance.take(key, rate, clock());
    if (retryAfterSeconds !== null) throw new SiteRefusal('too_many_requests', { retryAfterSeconds });
  };
  return ({ brand, player_id }) => {
    if (playerLimit !== undefined) take(players, player_id, playerLimit);
    if (brandLimit !== undefined) take(brands, brand.brand_id, brandLimit(brand.settings));
  };
}
