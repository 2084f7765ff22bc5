import type { Endpoint as AnyEndpoint } from '../../http/endpoints/endpoint.ts';
import type { Permission } from '../access/roles.ts';

/**
 * One route of the console API as data (http/endpoints/endpoint.ts): its input and output, and who may call it. The schema serializes
 * the answer, so a field that is missing in the schema never leaves the server. If the path contains `:brand`, the caller needs a role
 * at that brand.
 */
export interface Endpoint extends AnyEndpoint<Permission | 'signed in'> {
  /** Describes when the call returns 409 because the current state does not allow it. Omit it if the call never does. */
  conflict?: string;
  /** Describes when the call returns 403 for a reason other than the caller's role. */
  forbidden?: string;
  /** Describes when the call returns 429 for a reason other than the limit of its network. */
  tooMany?: string;
  /**
   * The owner of the session must have proved their identity within the last 15 minutes, at sign-in or with `POST session/proof`.
   * Otherwise a page that was left open would be enough to change how accounts sign in. The admin token proves no identity.
   * `session` refuses it; `or automation` accepts it.
   */
  fresh?: 'session' | 'or automation';
  status: 200 | 201 | 202 | 204;
}

/** Keeps the literal types of a definition, so that its handler is typed by it. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

/** Maximum bytes of the body of a call with a token. It must be enough for long messages and lists of players. */
export const defaultBodyBytes = 1024 * 1024;

export const basePath = '/api/console/v1';

export type HasBrand<E extends Endpoint> = E['path'] extends `${string}:brand${string}` ? true : false;
