/** `npm run docs`: writes the generated pages. A test fails if one of them is outdated. */
import { writeFileSync } from 'node:fs';
import { pages } from './pages/pages.ts';

for (const [path, write] of Object.entries(pages)) {
  writeFileSync(new URL(`../${path}`, import.meta.url), write());
  process.stdout.write(`${path}\n`);
}
