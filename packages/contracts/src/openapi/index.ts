import { integrationDocument } from './integration.ts';
import { operatorDocument } from './operator.ts';
import { siteDocument } from './site.ts';

/** The published documents of the interface, OpenAPI 3.1, each built anew when asked for. */
export const openApi = { integration: integrationDocument, site: siteDocument, operator: operatorDocument };
