import type { Static, TObject, TSchema } from 'typebox';
import type { Rate } from '../../http/allowance.ts';
import type { Permission } from '../access/roles.ts';

/**
 * One route of the console API as data: what it takes and gives, and who may call it.
 *
 * From this one definition come the route's validation, the form of its answer (a field that is not listed here never
 * leaves the server), its guard, and its part of /openapi/console.json. `may` has no default: a route without a decision
 * about who may call it does not compile.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api/console/v1, parameters as `:name`. With `:brand` in it, the route is guarded for that brand. */
  path: string;
  /** The heading under which the documentation lists it. */
  tag: string;
  summary: string;
  description?: string;
  may: Permission | 'signed in' | 'anyone';
  params?: TObject;
  query?: TObject;
  body?: TSchema;
  /** Bytes of the largest body. Default 1 MiB for callers who are known; what anyone may call has to name its own. */
  bodyBytes?: number;
  /** Failed calls of one network (an address, or a /64 of IPv6) at one api process, counted before the body is read. Default: any number. */
  failuresPerNetwork?: Rate;
  /** When the call is answered 409, in words: the state of what it names does not allow it. Left out: it never is. */
  conflict?: string;
  /** When the call is answered 403 for another reason than the role of the caller. */
  forbidden?: string;
  /** Of an answer that is a stream; all others are JSON. */
  contentType?: string;
  status: 200 | 201 | 202 | 204;
  answer: TSchema;
}

/** Keeps the literal types of a definition, so that its handler is typed by it. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

/** Of callers with a token, who may send long messages and lists of players. */
export const defaultBodyBytes = 1024 * 1024;

export const basePath = '/api/console/v1';

type StaticOf<S> = S extends TSchema ? Static<S> : Record<never, never>;

export type ParamsOf<E extends Endpoint> = StaticOf<E['params']>;
export type QueryOf<E extends Endpoint> = StaticOf<E['query']>;
export type BodyOf<E extends Endpoint> = StaticOf<E['body']>;
export type AnswerOf<E extends Endpoint> = Static<E['answer']>;
export type HasBrand<E extends Endpoint> = E['path'] extends `${string}:brand${string}` ? true : false;
