import { fileURLToPath } from 'node:url';

/** Folder of the built page: `index.html`, and `assets/` with names made from their content. */
export const consoleFolder = fileURLToPath(new URL('../dist/page/', import.meta.url));
