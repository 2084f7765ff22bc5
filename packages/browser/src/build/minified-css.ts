import type { Plugin } from 'esbuild';

/** Of the year that the scripts are for, 2021: nested rules are written out. */
const target = ['chrome91', 'safari15', 'firefox90'];

/** `import css from './x.css'` gives the sheet's text, minified, with what it imports: the app puts it on the page itself (adoptedStyleSheets). */
export const minifiedCss: Plugin = {
  name: 'minified css',
  setup({ onLoad, esbuild }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { outputFiles } = await esbuild.build({
        entryPoints: [path],
        bundle: true,
        write: false,
        minify: true,
        target,
        logLevel: 'silent',
      });
      return { contents: outputFiles[0]?.text.trim() ?? '', loader: 'text' };
    });
  },
};
