import type { Call, Parameter } from '@croupier/contracts';
import type { TObject, TSchema } from 'typebox';
import type { Endpoint } from './endpoint.ts';

/** The part of an endpoint's OpenAPI document that is the same in every API: address, texts and parameters. */
export function callOf(
  endpoint: Endpoint,
  basePath = '',
): Pick<Call, 'method' | 'path' | 'tag' | 'summary' | 'secured'> & { parameters: readonly Parameter[] } {
  const { method, path, tag, summary, may, params, query } = endpoint;
  return {
    method,
    path: `${basePath}${path}`.replaceAll(/:(\w+)/g, '{$1}'),
    tag,
    summary,
    secured: may !== 'anyone',
    parameters: [...parametersIn('path', params), ...parametersIn('query', query)],
  };
}

function parametersIn(place: 'path' | 'query', schema: TObject | undefined): Parameter[] {
  if (schema === undefined) return [];
  const required: readonly string[] = schema.required ?? [];
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description = '', examples: [example] = [], ...rest } = property as Described;
    // A parameter with a default is always set for the handler, and never required of the caller.
    const isRequired = place === 'path' || (required.includes(name) && !('default' in property));
    return {
      name,
      in: place,
      description,
      required: isRequired,
      schema: rest,
      ...(example !== undefined && { example }),
    };
  });
}

/** The description of a schema. For a parameter it is placed beside the schema. */
type Described = TSchema & { description?: string; examples?: string[] | number[] };
