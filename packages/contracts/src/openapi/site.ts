import { siteCalls } from '../site-api/calls.ts';
import { openApiDocument } from './document.ts';

const description = `Calls of the browser script, or of a front end of the operator's own, on behalf of the signed-in player.

Every answer is an envelope with Data, Success and Errors. Bodies without a content type are read as JSON. Calls from other
origins than those listed for the brand are refused by the browser.`;

/** The session id travels in a header of its own (docs/reference/decisions.md 8). */
const securitySchemes = {
  authtoken: { type: 'apiKey', in: 'header', name: 'authtoken', description: 'The session id, or an AuthToken.' },
  sid: { type: 'apiKey', in: 'header', name: 'sid', description: 'The same.' },
};

/** The OpenAPI document of the site API: the notification API and what surrounds it. */
export function siteDocument() {
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
    calls: siteCalls,
  });
}
