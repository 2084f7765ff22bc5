import { readFile } from 'node:fs/promises';
import { type Plugin, transform } from 'esbuild';

/** `import css from './x.css'` gives the sheet's text, minified: the app puts it on the page itself (adoptedStyleSheets). */
export const minifiedCss: Plugin = {
  name: 'minified css',
  setup({ onLoad, initialOptions: { target } }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true, target });
      return { contents: code.trim(), loader: 'text' };
    });
  },
};
