/**
 * Writes the OpenAPI document of the console API to the folder from which the types of the console's client are generated. Part
 * of `npm run check`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { consoleOpenApi } from '../packages/platform/src/console/serving.ts';

const folder = new URL('../packages/console/dist/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('openapi.json', folder), JSON.stringify(consoleOpenApi()));
