import type { Answer, SiteErrorCode } from '@croupier/contracts';
import type { Brand, BrandSettings } from '../../brands/index.ts';
import type { Rate } from '../../http/allowance.ts';
import type { AnswerOf, Endpoint, Parts } from '../../http/endpoints/endpoint.ts';
import type { Caller } from '../session/caller.ts';
import type { SiteDeps } from './deps.ts';

/**
 * One call of the site API: its route (http/endpoints/endpoint.ts), what the site adds to a route, and its texts and samples in
 * /openapi/site.json. `may` is `player` (a valid session), or `anyone` for a call that a signed token in its body authorizes.
 *
 * Refusals that follow from the definition are not listed in it: serve.ts generates them, and document.ts documents them.
 */
export interface SiteEndpoint extends Endpoint<'player'> {
  /** The operationId of the document. */
  name: string;
  /** The body in the document: the name of its schema, and samples. */
  bodyShown?: { name: string; samples: Readonly<Record<string, unknown>> };
  /** The Data of the answer in the document: the name of its schema, a sample, and what the answer means. */
  answerShown: { name: string; sample: unknown; means: string };
  /** Other refusals of the handler, and refusals that need separate texts. */
  refusals?: readonly Answer[];
  /** The function that the brand must offer (setting site_functions). */
  siteFunction?: 'tracking' | 'rewards' | 'profile';
  /** Limit of calls per player and api process. A correct page stays far below it. Default: no limit. */
  playerLimit?: Rate;
  /**
   * Limit of calls of all players of a brand, counted after the player's own limit, so that one player cannot use up the
   * brand's.
   */
  brandLimit?: (settings: BrandSettings) => Rate;
  /** The error for a malformed path parameter, the same as if the object did not exist. */
  unknown?: SiteErrorCode;
  /**
   * The credential may also be in the query, as Pusher libraries send it (docs/reference/decisions.md 8). Default: headers
   * only, because addresses appear in logs.
   */
  credentialInQuery?: boolean;
  /** Also accepts application/x-www-form-urlencoded, as an object of texts. */
  takesForms?: boolean;
  /** The handler's answer is the whole body: for channel authorization, whose form Pusher defines, and for the configuration. */
  withoutEnvelope?: boolean;
  /** Base address in the document, if it is not that of the brand. */
  server?: '/';
}

/** The argument of a handler. The player is taken only from the session, never from a part of the call. */
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
 * One complete call of the site API.
 *
 * @param handle returns the Data of the answer, or throws a SiteRefusal
 */
export function endpoint<const E extends SiteEndpoint>(
  definition: E,
  handle: (call: Call<E>, deps: SiteDeps) => Promise<AnswerOf<E>>,
): SiteCall {
  // `serve` creates the call from this definition, so the types match.
  return { ...definition, handle: handle as SiteCall['handle'] };
}
