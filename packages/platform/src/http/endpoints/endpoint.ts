import type { Static, TObject, TSchema } from 'typebox';
import type { Rate } from '../allowance.ts';

/**
 * One route as data: its input and output, who may call it, how much it reads, and its documentation. The console and the site
 * each add their own fields (console/routing/endpoint.ts, site/api/endpoint.ts) and the handler.
 *
 * Validation, access control, limits and the OpenAPI document are all generated from this one definition (register.ts,
 * documented-call.ts). `may` has no default: a route without a decision about its callers does not compile.
 *
 * The event endpoints do not use it: their table, readers and documents are in @croupier/contracts, and they are served
 * directly on node:http (docs/decisions/0202-lean-ingest-edge.md).
 */
export interface Endpoint<Callers extends string = string> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the base path of its API, with parameters as `:name`. */
  path: string;
  /** The heading in the documentation. */
  tag: string;
  summary: string;
  description?: string;
  /** Who may call it; each API defines its kinds of callers. */
  may: Callers | 'anyone';
  params?: TObject;
  query?: TObject;
  body?: TSchema;
  /** Content types of a body that is not JSON. The handler gets its bytes. */
  bodyTypes?: readonly string[];
  /**
   * Maximum body in bytes. Default for known callers: the limit of the API. A route that anyone may call must set a limit.
   */
  bodyBytes?: number;
  /**
   * Limit of calls per network (an address, or a /64 of IPv6) and api process, counted before the body is read. Default: no
   * limit.
   */
  networkLimit?: NetworkLimit;
  answer: TSchema;
  /** The content type of an answer that is not JSON. */
  contentType?: string;
}

export interface NetworkLimit extends Rate {
  /** Whether every call counts, or only those that fail. */
  counts: 'calls' | 'failures';
}

type StaticOf<S> = S extends TSchema ? Static<S> : Record<never, never>;

export type ParamsOf<E extends Endpoint> = StaticOf<E['params']>;
export type QueryOf<E extends Endpoint> = StaticOf<E['query']>;
export type BodyOf<E extends Endpoint> = StaticOf<E['body']>;
export type AnswerOf<E extends Endpoint> = Static<E['answer']>;

/** The parts of a call, validated against the schemas of its endpoint. */
export interface Parts<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
}
