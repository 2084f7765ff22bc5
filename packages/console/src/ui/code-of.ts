const longestCode = 64;

/**
 * Derives a code from a name: lower-case letters, digits and _. The code is empty if the name has none of these. Pure.
 */
export function codeOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, longestCode);
}
