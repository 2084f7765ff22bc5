import { fileURLToPath } from 'node:url';

/** Where the built page is: `index.html`, and `assets/` named by their content. */
export const consoleFolder = fileURLToPath(new URL('../dist/page/', import.meta.url));
