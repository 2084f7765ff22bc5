import type { FastifyRequest } from 'fastify';
import type { Brand } from '../../brands/index.ts';
import type { LinkForm, LinkHolder } from '../links/unsubscribe-links.ts';
import { lookOf, plainLook } from '../page/look.ts';
import type { Frame, Page } from '../page/page.ts';
import { acceptedLanguages, chooseLanguage } from '../texts/languages.ts';
import type { HostedDeps } from './deps.ts';

/** One call of a link: everything known without a database query. */
export interface Visit {
  /** The token as received. The limits use it as a key. It is never logged. */
  token: string;
  /** Null if it is not a token of the platform. */
  holder: LinkHolder | null;
  brand: Brand | null;
  /** The language chosen on the page. */
  chosen: string | null;
  accepted: readonly string[];
}

/** A visit with a valid link of an existing brand. */
export interface HeldVisit {
  visit: Visit;
  holder: LinkHolder;
}

/** The result of a visit: a page, or a redirect to one. */
export type Outcome =
  | { status: 200 | 400 | 410; page: Page }
  | { status: 303; query: Readonly<Record<string, string>> };

export function visitOf(request: FastifyRequest, form: LinkForm, deps: Pick<HostedDeps, 'links' | 'brands'>): Visit {
  const { token = '' } = (request.params ?? {}) as { token?: string };
  const holder = deps.links.read(form, token);
  return {
    token,
    holder,
    brand: (holder && deps.brands.byId(holder.brand_id)) ?? null,
    chosen: parameterOf(request, 'lang'),
    accepted: acceptedLanguages(request.headers['accept-language']),
  };
}

/** The look of the brand, and the language: the chosen one, the player's, the browser's, or the brand's. */
export function frameOf(
  visit: Visit,
  more: { playerLanguage?: string | null; query?: Readonly<Record<string, string>> } = {},
): Frame {
  const { brand, chosen, accepted } = visit;
  return {
    look: brand === null ? plainLook : lookOf(brand),
    language: chooseLanguage([chosen, more.playerLanguage, ...accepted, brand?.settings.default_language]),
    query: more.query ?? {},
  };
}

/** A parameter of the address that was given exactly once; null otherwise. */
export function parameterOf(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
