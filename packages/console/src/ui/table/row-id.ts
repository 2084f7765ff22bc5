/** A longer key is replaced by its hash, because it would make the address too long to share. */
const longest = 60;

/** Returns the name of a row in the address, made from its key. Pure. */
export function rowId(key: string | number): string {
  const text = String(key);
  if (text.length <= longest) return text;
  // This is FNV-1a with 64 bits. With 100,000 rows, two rows share a name in one of 4 billion lists.
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(36);
}
