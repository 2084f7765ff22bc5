import { integrationDocument } from './integration.ts';
import { operatorDocument } from './operator.ts';

/** The published documents of what operators call and provide, OpenAPI 3.1. Each call builds the document again. */
export const openApi = { integration: integrationDocument, operator: operatorDocument };
