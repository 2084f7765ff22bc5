import { operatorCalls } from '../operator-api/calls.ts';
import { openApiDocument } from './document.ts';

const description = `Endpoints that the operator provides and the platform calls.

One of three authentication schemes protects every endpoint; the brand's settings select it. The platform sends
\`Cache-Control: no-store\` and never caches user details. It waits 2 seconds for a connection and 10 seconds for a complete
answer. A reconciliation may take longer, but not more than 30 seconds without a byte. The platform does not follow redirects.`;

/** Schemes with which the platform calls an operator (docs/reference/interface.md, Authentication 1). */
const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The name of the header is a setting of the brand.',
  },
  basic: { type: 'http', scheme: 'basic' },
  oauth2: {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: 'https://operator.example.com/oauth/token', scopes: {} } },
  },
};

/** The OpenAPI document of the operator's endpoints. */
export function operatorDocument() {
  return openApiDocument({
    title: 'Operator endpoints',
    description,
    servers: [
      {
        url: '{operator_base_url}',
        description: "The operator's base address, a setting of the brand.",
        variables: { operator_base_url: { default: 'https://operator.example.com/crm' } },
      },
    ],
    securitySchemes,
    calls: operatorCalls,
  });
}
