import type { FastifyRequest } from 'fastify';
import type { Brand } from '../../brands/index.ts';
import type { LinkForm, LinkHolder } from '../links/unsubscribe-links.ts';
import { lookOf, plainLook } from '../page/look.ts';
import type { Frame, Page } from '../page/page.ts';
import { acceptedLanguages, chooseLanguage } from '../texts/languages.ts';
import type { HostedDeps } from './deps.ts';

/** One call of a link: what can be told of it without asking the database. */
export interface Visit {
  /** As it came; a key of the limits, never logged. */
  token: string;
  /** Null: not one of our tokens. */
  holder: LinkHolder | null;
  brand: Brand | null;
  /** A language that was chosen on the page. */
  chosen: string | null;
  accepted: readonly string[];
}

/** A visit by a good link of a brand that is there. */
export interface HeldVisit {
  visit: Visit;
  holder: LinkHolder;
}

/** What a visit comes to: a page, or the way to one. */
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

/** The look of the brand, and the language: the one chosen, the player's own, the browser's, the brand's. */
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

/** A parameter of the address that was given once; null otherwise. */
export function parameterOf(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
