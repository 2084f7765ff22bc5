import type { Micros } from '@croupier/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { Brand, BrandRegistry } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { requireDefinitions } from '../../http/endpoints/register.ts';
import { cookieToken } from '../accounts/session-cookie.ts';
import { sessionOf } from '../accounts/sessions.ts';
import { bearerToken, sameSecret } from '../accounts/tokens.ts';
import type { Endpoint } from '../routing/endpoint.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { Access, automation, freshMicros } from './access.ts';

export interface GuardDeps {
  pool: Pool;
  clock: Clock;
  brands: BrandRegistry;
  adminToken: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    access: Access | null;
    brand: Brand | null;
    token: string | null;
  }
}

/**
 * Adds a guard to every route of the instance: it checks who is calling, whether the brand exists for that caller, and whether
 * the caller has the permission and, where required, a recent proof and a second factor. It runs before the body is read, so
 * that unknown callers cannot make the server parse it.
 */
export function guard(app: FastifyInstance, deps: GuardDeps): void {
  app.decorateRequest('access', null);
  app.decorateRequest('brand', null);
  app.decorateRequest('token', null);
  requireDefinitions(app);
  app.addHook('onRequest', async (request) => {
    // All routes of this instance are console endpoints: `serve` accepts no others.
    const endpoint = request.routeOptions.config.endpoint as Endpoint | undefined;
    if (endpoint === undefined || endpoint.may === 'anyone') return;
    request.token = bearerToken(request.headers.authorization) ?? cookieToken(request);
    request.access = await identify(deps, request.token, request.ip);
    request.brand = brandOf(deps.brands, request, endpoint, request.access);
    if (endpoint.may !== 'signed in' && !request.access.may(endpoint.may, request.brand)) {
      throw new Refused('forbidden', {
        en: `this call requires the permission ${endpoint.may}, which ${request.access.actor} does not have`,
        de: `Dieser Aufruf erfordert die Berechtigung ${endpoint.may}, die ${request.access.actor} nicht hat`,
      });
    }
    if (endpoint.fresh !== undefined) requireFresh(request.access, endpoint.fresh, deps.clock());
    if (endpoint.may !== 'signed in' && request.access.lacksSecondFactor(request.brand)) {
      throw new Refused('second_factor_required', {
        en: 'a second factor is required here, and this session has none',
        de: 'Hier ist ein zweiter Faktor erforderlich, und diese Sitzung hat keinen',
      });
    }
  });
}

function requireFresh({ session }: Access, fresh: NonNullable<Endpoint['fresh']>, now: Micros): void {
  if (session === null) {
    if (fresh === 'or automation') return;
    throw new Refused('forbidden', {
      en: 'the admin token belongs to no account',
      de: 'Das Admin-Token gehört zu keinem Konto',
    });
  }
  if (session.proven_at + freshMicros <= now) {
    throw new Refused('sign_in_again', {
      en: 'confirm who you are: this call requires a proof from the last 15 minutes',
      de: 'Bestätigen Sie, wer Sie sind: Dieser Aufruf erfordert einen Nachweis aus den letzten 15 Minuten',
    });
  }
}

async function identify(deps: GuardDeps, token: string | null, address: string): Promise<Access> {
  if (token !== null) {
    if (deps.adminToken !== '' && sameSecret(token, deps.adminToken)) return automation;
    const session = await sessionOf(deps.pool, deps.clock, token, address);
    if (session !== null) return new Access({ ...session, session, actor: session.email });
  }
  throw new Refused('unauthorized', {
    en: 'send Authorization: Bearer with a session token or the admin token',
    de: 'Senden Sie Authorization: Bearer mit einem Sitzungs-Token oder dem Admin-Token',
  });
}

/** Gives the same answer for a brand that does not exist and for a brand to which the caller has no access. */
function brandOf(brands: BrandRegistry, request: FastifyRequest, endpoint: Endpoint, access: Access): Brand | null {
  if (!endpoint.path.includes(':brand')) return null;
  const code = (request.params as { brand: string }).brand;
  const brand = brands.byCode(code);
  if (brand === undefined || !access.reaches(brand)) throw notFound('brand', code);
  return brand;
}
