import type { Endpoint as AnyEndpoint } from '../../http/endpoints/endpoint.ts';
import type { Permission } from '../access/roles.ts';

/**
 * One route of the console API as data (http/endpoints/endpoint.ts): its input and output, and who may call it. Its answer is
 * serialized by its schema: a field that is not in it never leaves the server. A path with `:brand` is guarded for that brand.
 */
export interface Endpoint extends AnyEndpoint<Permission | 'signed in'> {
  /** When the call is answered 409, in words: the current state does not allow it. Omit if it never is. */
  conflict?: string;
  /** When the call is answered 403 for a reason other than the caller's role. */
  forbidden?: string;
  /** When the call is answered 429 for a reason other than its network. */
  tooMany?: string;
  /**
   * Its owner must have proved within the last 15 minutes who they are, at sign-in or with `POST session/proof`: a page that was left open must not be
   * enough to change how accounts sign in. The admin token proves nothing: it is refused (`session`), or may make the call (`or automation`).
   */
  fresh?: 'session' | 'or automation';
  status: 200 | 201 | 202 | 204;
}

/** Keeps the literal types of a definition, so that its handler is typed by it. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

/** For callers with a token, who may send long messages and lists of players. */
export const defaultBodyBytes = 1024 * 1024;

export const basePath = '/api/console/v1';

export type HasBrand<E extends Endpoint> = E['path'] extends `${string}:brand${string}` ? true : false;
