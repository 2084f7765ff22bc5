/**
 * Writes the types of the console API for the client in `src/api`, from the OpenAPI document in `dist`. `npm run check`
 * runs it.
 */
import { writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const types = await openapiTS(new URL('../dist/openapi.json', import.meta.url));
await writeFile(new URL('../dist/schema.d.ts', import.meta.url), astToString(types));
