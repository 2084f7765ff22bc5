import type { Answer, SiteErrorCode } from '@croupier/contracts';
import type { Brand, BrandSettings } from '../../brands/index.ts';
import type { Rate } from '../../http/allowance.ts';
import type { AnswerOf, Endpoint, Parts } from '../../http/endpoints/endpoint.ts';
import type { Caller } from '../session/caller.ts';
import type { SiteDeps } from './deps.ts';

/**
 * One call of the site API: its route (http/endpoints/endpoint.ts), what the site adds to a route, and the words and samples of its place in
 * /openapi/site.json. `may` is `player` (a valid session), or `anyone` for a call that a signed token of its body secures.
 *
 * Refusals that follow from the definition stand in no definition: serve.ts makes them, document.ts documents them.
 */
export interface SiteEndpoint extends Endpoint<'player'> {
  /** The operationId of the document. */
  name: string;
  /** The body in the document: the name of its schema, and samples. */
  bodyShown?: { name: string; samples: Readonly<Record<string, unknown>> };
  /** The Data of the answer in the document: the name of its schema, a sample, and what the answer means. */
  answerShown: { name: string; sample: unknown; means: string };
  /** What else the handler refuses, and refusals that need words of their own. */
  refusals?: readonly Answer[];
  /** The brand has to offer this function (setting site_functions). */
  siteFunction?: 'tracking' | 'rewards' | 'profile';
  /** Calls of one player at one api process. A page that behaves comes nowhere near. Default: any number. */
  playerLimit?: Rate;
  /** Calls of all players of a brand, counted after the player's own: whoever overdoes it takes nothing from the others. */
  brandLimit?: (settings: BrandSettings) => Rate;
  /** Answered to a parameter of the path that has not the form of one, as if there were no such thing. */
  unknown?: SiteErrorCode;
  /** The credential may also stand in the query, as Pusher libraries send it (docs/reference/decisions.md 8). Default: headers only, as addresses end in logs. */
  credentialInQuery?: boolean;
  /** Also takes application/x-www-form-urlencoded, as an object of texts. */
  takesForms?: boolean;
  /** What the handler answers is the whole body: of channel authorisation, whose form is Pusher's, and of the configuration. */
  withoutEnvelope?: boolean;
  /** Base address in the document, where it is not that of the brand. */
  server?: '/';
}

/** What a handler gets. Who the player is comes from the session alone, never from a part of the call. */
export interface Call<E extends SiteEndpoint> extends Parts<E> {
  brand: Brand;
  caller: E['may'] extends 'player' ? Caller : null;
  /** The session id or token of the call. */
  credential: string | undefined;
}

/** An endpoint with its handler. */
export interface SiteCall extends SiteEndpoint {
  handle(call: Omit<Call<SiteEndpoint>, 'caller'> & { caller: Caller | null }, deps: SiteDeps): Promise<unknown>;
}

/**
 * One call of the site API, complete.
 *
 * @param handle gives the Data of the answer, or throws a SiteRefusal.
 */
export function endpoint<const E extends SiteEndpoint>(
  definition: E,
  handle: (call: Call<E>, deps: SiteDeps) => Promise<AnswerOf<E>>,
): SiteCall {
  // `serve` makes the call from this very definition.
  return { ...definition, handle: handle as SiteCall['handle'] };
}
