import type { Reading } from './field.ts';

/** Only such names can be misspellings of a known name: plain ASCII, and not longer than this. */
const plainName = /^[ -~]{1,60}$/;
/** In shorter names, one changed letter makes a different word. */
const minTypoLength = 6;
/** A cache, because an operator sends the same few unknown names in every event. */
const maxRemembered = 1_000;

interface Likeness {
  /** The known field. */
  name: string;
  /** True if one letter differs (`ammount`), false if only the spelling style differs. */
  isSlip: boolean;
}

/**
 * Flags unknown fields of an object that look like known ones (docs/reference/decisions.md 1). Another spelling style,
 * such as `paymentid` or `PaymentId` for `payment_id`, is always flagged. A misspelling, such as `ammount` for
 * `amount`, is flagged only if `amount` is absent. If both exist, the operator means two different fields.
 */
export function likenessReader(known: readonly string[]) {
  const names = new Set(known);
  const bySpelling = new Map(known.map((name) => [lettersOf(name), name]));
  const remembered = new Map<string, Likeness | null>();

  const likenessOf = (name: string): Likeness | null => {
    const before = remembered.get(name);
    if (before !== undefined) return before;
    const found = plainName.test(name) ? findLikeness(name, bySpelling) : null;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(name, found);
    return found;
  };

  return (body: { [key: string]: unknown }, reading: Reading): void => {
    for (const name in body) {
      if (names.has(name)) continue;
      const like = likenessOf(name);
      if (like === null || (like.isSlip && body[like.name] !== undefined)) continue;
      reading.remark('resembles_known_field', {
        path: reading.prefix + name,
        rule: 'unknown_field',
        message: `${reading.prefix}${name} is unknown and was ignored; send it as ${like.name} if that is what you mean.`,
      });
    }
  };
}

function findLikeness(name: string, bySpelling: ReadonlyMap<string, string>): Likeness | null {
  const letters = lettersOf(name);
  const same = bySpelling.get(letters);
  if (same !== undefined) return { name: same, isSlip: false };
  if (letters.length < minTypoLength) return null;
  for (const [spelling, known] of bySpelling) {
    if (spelling.length >= minTypoLength && differByOne(letters, spelling)) return { name: known, isSlip: true };
  }
  return null;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** True if one letter was added, removed or changed, or two neighboring letters were swapped. */
function differByOne(a: string, b: string): boolean {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  let i = 0;
  while (i < short.length && long[i] === short[i]) i++;
  if (long.length === short.length + 1) return long.slice(i + 1) === short.slice(i);
  if (long.length !== short.length) return false;
  if (long.slice(i + 1) === short.slice(i + 1)) return long !== short;
  return long[i] === short[i + 1] && long[i + 1] === short[i] && long.slice(i + 2) === short.slice(i + 2);
}
