/** Longer keys are named by a hash of them: they would make an address that nobody can send. */
const longest = 60;

/** Names a row in the address by what tells it from the others. Pure. */
export function rowId(key: string | number): string {
  const text = String(key);
  if (text.length <= longest) return text;
  // FNV-1a in its 64-bit form: with 100,000 rows two share a name once in 4 billion lists.
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(36);
}
