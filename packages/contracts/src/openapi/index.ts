import { integrationDocument } from './integration.ts';
import { operatorDocument } from './operator.ts';

/** The published documents of what operators call and provide, OpenAPI 3.1, each built anew when asked for. */
export const openApi = { integration: integrationDocument, operator: operatorDocument };
