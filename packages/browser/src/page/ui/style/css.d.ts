/** Minified when the script is built (src/build/minified-css.ts). */
declare module '*.css' {
  const text: string;
  export default text;
}
