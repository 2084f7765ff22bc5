import type { Plugin } from 'esbuild';

/** Browsers of 2021, like the target of the scripts (build.ts). Nested rules are expanded for them. */
const target = ['chrome91', 'safari15', 'firefox90'];

/**
 * `import css from './x.css'` imports the minified text of the sheet and of the sheets that it imports. The app adds it
 * to the page itself (adoptedStyleSheets).
 */
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
      return { contents: shorten(outputFiles[0]?.text.trim() ?? ''), loader: 'js' };
    });
  },
};

/**
 * Returns a module that contains the sheet. Nearly all selectors begin with one of two prefixes, and each of these is
 * replaced by one character. Gzip also compresses repeated text, but needs two or three bytes for each repeat. The
 * replacement saves 100 of these bytes.
 */
export function shorten(css: string): string {
  const prefixes = css.match(/(\.[\w-]+)\1+( \.crm-)?/g) ?? [];
  const marks = ['^', '`'].filter((mark) => !css.includes(mark));
  // The longer prefix is replaced first, because it begins with the shorter one.
  const repeated = [...new Set(prefixes)].sort((a, b) => b.length - a.length).slice(0, marks.length);
  let short = css;
  let expand = '';
  repeated.forEach((beginning, index) => {
    const mark = marks[index] ?? '';
    short = short.replaceAll(beginning, mark);
    expand += `.replaceAll(${JSON.stringify(mark)},${JSON.stringify(beginning)})`;
  });
  return `export default ${JSON.stringify(short)}${expand}`;
}
