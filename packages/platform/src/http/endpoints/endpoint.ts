import type { Static, TObject, TSchema } from 'typebox';
import type { Rate } from '../allowance.ts';

/**
 * One route as data: what it takes and gives, who may call it, how much it reads, and how it is documented. The console and the site
 * each add what is their own (console/routing/endpoint.ts, site/api/endpoint.ts) and the handler.
 *
 * Validation, guard, bounds and OpenAPI document all follow from this one definition (register.ts, documented-call.ts). `may` has no
 * default: a route without a decision about who may call it does not compile.
 *
 * The event endpoints are not made of this: their table, readers and documents are in @croupier/contracts, and they are served straight
 * on node:http (docs/decisions/0202-lean-ingest-edge.md).
 */
export interface Endpoint<Callers extends string = string> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base path of its API, parameters as `:name`. */
  path: string;
  /** The heading under which the documentation lists it. */
  tag: string;
  summary: string;
  description?: string;
  /** Who may call it; each API says what callers it knows. */
  may: Callers | 'anyone';
  params?: TObject;
  query?: TObject;
  body?: TSchema;
  /** Content types of a body that is not JSON: the handler gets its bytes. */
  bodyTypes?: readonly string[];
  /** Bytes of the largest body. Default: that of the API, for callers who are known. What anyone may call has to name its own. */
  bodyBytes?: number;
  /** Calls of one network (an address, or a /64 of IPv6) at one api process, counted before the body is read. Default: any number. */
  networkLimit?: NetworkLimit;
  answer: TSchema;
  /** Of an answer that is not JSON. */
  contentType?: string;
}

export interface NetworkLimit extends Rate {
  /** What counts: every call, or only those that fail. */
  counts: 'calls' | 'failures';
}

type StaticOf<S> = S extends TSchema ? Static<S> : Record<never, never>;

export type ParamsOf<E extends Endpoint> = StaticOf<E['params']>;
export type QueryOf<E extends Endpoint> = StaticOf<E['query']>;
export type BodyOf<E extends Endpoint> = StaticOf<E['body']>;
export type AnswerOf<E extends Endpoint> = Static<E['answer']>;

/** The parts of a call, checked against the schemas of its endpoint. */
export interface Parts<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
}
