/**
 * Whether a button or an image may have this address: http or https, or a path of the site (/promo). Pure.
 *
 * Addresses with a name or password are refused: `https://casino.example@evil.example/` looks like one host and leads to
 * another.
 *
 * White space, control characters and backslashes are refused, not repaired. Browsers drop some of them before they read a
 * scheme, so `java\nscript:` would be a script, and `/\evil.example` another host.
 */
export function isSafeLink(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: see above
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//');
  if (!/^https?:\/\//i.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
}
