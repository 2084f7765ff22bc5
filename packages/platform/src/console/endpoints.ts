import * as accounts from './accounts/endpoints.ts';
import * as audit from './audit/endpoints.ts';
import * as brands from './brands/endpoints.ts';
import * as keys from './keys/endpoints.ts';
import * as quarantine from './quarantine/endpoints.ts';
import type { Endpoint } from './routing/endpoint.ts';

/** Every endpoint of the console API, in the order of the documentation. A test compares it with the routes served. */
export const consoleEndpoints: readonly Endpoint[] = [accounts, brands, quarantine, keys, audit].flatMap(
  (resource): Endpoint[] => Object.values(resource),
);
