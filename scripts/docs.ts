/** `npm run docs`: writes the pages that are made from code. A test fails while one of them is not up to date. */
import { writeFileSync } from 'node:fs';
import { pages } from './pages/pages.ts';

for (const [path, write] of Object.entries(pages)) {
  writeFileSync(new URL(`../${path}`, import.meta.url), write());
  process.stdout.write(`${path}\n`);
}
