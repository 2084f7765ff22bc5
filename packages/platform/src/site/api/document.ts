import { type Answer, type Call, type OpenApiDocument, openApiDocument } from '@croupier/contracts';
import { callOf } from '../../http/endpoints/documented-call.ts';
import { siteCalls } from './calls.ts';
import { getConfig } from './config.ts';
import { answered, refused, sessionRefusals, wrongBody } from './documented-answers.ts';
import type { SiteEndpoint } from './endpoint.ts';
import { defaultBodyBytes } from './serve.ts';

const description = `Calls of the browser script, or of the operator's own front end, for the signed-in player.

Every answer is an envelope with Data, Success and Errors. Bodies without a content type are read as JSON. The browser refuses
calls from origins that are not listed for the brand.`;

/** The session id is sent in its own header (docs/reference/decisions.md 8). */
const securitySchemes = {
  authtoken: { type: 'apiKey', in: 'header', name: 'authtoken', description: 'The session id, or an AuthToken.' },
  sid: { type: 'apiKey', in: 'header', name: 'sid', description: 'Another name for the header authtoken.' },
};

const functionOff = refused('The brand has switched the function off (setting site_functions).', 'function_off');
const tooManyOfPlayer = refused(
  'Too many calls by the player, or too many invalid sessions from this address.',
  'too_many_requests',
);
const tooManyOfNetwork = refused('Too many calls from this network.', 'too_many_requests');
const databaseAway = refused('The database is unavailable.', 'unavailable');
const unknownBrand = refused('The brand does not exist.', 'unknown_brand');

/**
 * The documented calls: docs/reference/interface.md, Endpoints C, docs/reference/decisions.md 8, and our own additions below
 * /Crm.
 */
export const documentedSiteCalls: readonly Call[] = [getConfig, ...siteCalls].map(documented);

/** The OpenAPI document of the site API, generated from the definitions that also validate its calls. */
export function siteOpenApi(): OpenApiDocument {
  return openApiDocument({
    title: 'Site API',
    description,
    servers: [
      {
        url: '/site/{brand}',
        description: 'The notification base address of a brand.',
        variables: { brand: { default: 'demo', description: 'Code of the brand (window.crmbrand).' } },
      },
    ],
    securitySchemes,
    calls: documentedSiteCalls,
  });
}

export function documented(endpoint: SiteEndpoint): Call {
  const { name, description: words, server, body, bodyShown, takesForms = false } = endpoint;
  return {
    ...callOf(endpoint),
    name,
    ...(words !== undefined && { description: words }),
    ...(server !== undefined && { server }),
    ...(body !== undefined &&
      bodyShown !== undefined && {
        request: {
          schema: body,
          schemaName: bodyShown.name,
          samples: bodyShown.samples,
          ...(takesForms && { alsoAs: ['application/x-www-form-urlencoded'] }),
        },
      }),
    answers: [successOf(endpoint), ...refusalsOf(endpoint)],
  };
}

function successOf({ answer, answerShown, withoutEnvelope = false }: SiteEndpoint): Answer {
  const { name, sample, means } = answerShown;
  if (!withoutEnvelope) return answered(name, answer, sample, means);
  return { status: 200, description: means, schema: answer, schemaName: name, samples: { [name]: sample } };
}

/**
 * The endpoint's own refusals, and those that follow from its definition. If both have the same status, the text of the
 * endpoint's own refusal is kept, and the code of the other one is added as a sample.
 */
function refusalsOf(endpoint: SiteEndpoint): Answer[] {
  const byStatus = new Map<number, Answer>();
  for (const answer of [...(endpoint.refusals ?? []), ...impliedRefusals(endpoint)]) {
    const known = byStatus.get(answer.status);
    const samples = { ...known?.samples, ...answer.samples };
    byStatus.set(answer.status, { ...(known ?? answer), samples });
  }
  return [...byStatus.values()];
}

function impliedRefusals(endpoint: SiteEndpoint): Answer[] {
  const { method, may, query, body, networkLimit, playerLimit, siteFunction, server } = endpoint;
  // Only the configuration has its own base address. It is read from memory and is the same for everyone, so none of
  // these refusals applies.
  if (server !== undefined) return [];
  return [
    ...(body !== undefined || query !== undefined ? [wrongBody] : []),
    ...(siteFunction === undefined ? [] : [functionOff]),
    ...(playerLimit === undefined ? [] : [tooManyOfPlayer]),
    ...(networkLimit === undefined ? [] : [tooManyOfNetwork]),
    ...(may === 'player' ? sessionRefusals : [databaseAway]),
    unknownBrand,
    // Every method except GET accepts a body, even if the call needs none.
    ...(method === 'GET' ? [] : refusedBodies(endpoint)),
  ];
}

function refusedBodies({ bodyBytes = defaultBodyBytes }: SiteEndpoint): Answer[] {
  return [
    refused('The body is not valid JSON.', 'malformed_json'),
    refused(`The body is larger than ${bodyBytes / 1024} KiB.`, 'body_too_large'),
    refused('The content type is not JSON.', 'unsupported_content_type'),
  ];
}
