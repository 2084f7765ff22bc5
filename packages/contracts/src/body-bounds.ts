/** No body of the interface is deeper. Deeper bodies could exhaust the stack of the functions that walk them. */
export const maxDepth = 64;
/**
 * Members of all objects plus entries of all arrays. The largest event of the interface, a lottery purchase of 1 MiB,
 * has about 100,000. A body with only one-letter keys has twice as many, and takes ten times as long to parse.
 */
export const maxMembers = 150_000;

/** Texts up to this length are cheap to parse, so they are parsed without this check. */
const cheapLength = 8_192;

/**
 * Returns the limit that a JSON text exceeds, or null if it exceeds none. It counts brackets and commas outside
 * strings without storing anything, so it takes 1 ms for 1 MiB of any content. The result has no meaning for text that
 * is not JSON, but `JSON.parse` refuses such text anyway.
 */
export function exceededLimit(text: string, mostMembers = maxMembers): 'depth' | 'members' | null {
  if (text.length <= cheapLength) return null;
  let depth = 0;
  let members = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case quote:
        i = endOfText(text, i);
        break;
      case openBrace:
      case openBracket:
        if (++depth > maxDepth) return 'depth';
        break;
      case closeBrace:
      case closeBracket:
        depth--;
        break;
      case comma:
        if (++members > mostMembers) return 'members';
        break;
    }
  }
  return null;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The position of the quote that ends the string beginning at `start`; the end of the text if there is none. */
function endOfText(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === backslash) i++;
    else if (code === quote) return i;
  }
  return text.length;
}
