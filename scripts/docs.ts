/** `npm run docs`: writes the pages that are made from code. A test fails while one of them is not up to date. */
import { writeFileSync } from 'node:fs';
import { traitsGuide } from '../packages/platform/src/derive/traits/guide.ts';

const pages: Readonly<Record<string, () => string>> = { 'docs/guides/traits.md': traitsGuide };

for (const [path, write] of Object.entries(pages)) {
  writeFileSync(new URL(`../${path}`, import.meta.url), write());
  process.stdout.write(`${path}\n`);
}
