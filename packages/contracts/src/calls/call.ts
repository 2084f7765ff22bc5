import type { TSchema } from 'typebox';

/**
 * One documented HTTP call, served by the platform or by an operator. The OpenAPI documents are made from these calls.
 * Events, operator endpoints and the notification API are all tables of calls.
 */
export interface Call {
  /** Unique within its document; becomes the operationId. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path, with `{name}` for each path parameter. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly parameters?: readonly Parameter[];
  readonly request?: RequestBody;
  readonly answers: readonly Answer[];
  /** False if no credentials are needed. */
  readonly secured?: boolean;
  /** A base URL other than the document's, relative to the platform's public URL. */
  readonly server?: string;
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: TSchema;
  readonly example?: string | number | boolean;
}

export interface RequestBody {
  readonly schema: TSchema;
  /** Name of the schema in the document's components. */
  readonly schemaName: string;
  readonly samples: Readonly<Record<string, unknown>>;
  /** True if the body is optional. */
  readonly optional?: boolean;
  /** Content types besides application/json. */
  readonly alsoAs?: readonly string[];
  /** Content type, if it is not application/json. */
  readonly types?: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly description: string;
  readonly contentType?: string;
  /** Absent if the body is empty or has no meaning. */
  readonly schema?: TSchema;
  readonly schemaName?: string;
  readonly samples?: Readonly<Record<string, unknown>>;
  readonly headers?: readonly string[];
}
