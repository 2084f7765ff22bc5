import { integrationDocument } from './integration.ts';
import { operatorDocument } from './operator.ts';

/** Functions that build the published OpenAPI 3.1 documents: of the endpoints that operators call, and of those that they provide. */
export const openApi = { integration: integrationDocument, operator: operatorDocument };
