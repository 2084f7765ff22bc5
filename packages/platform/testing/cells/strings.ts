/**
 * The string and template literals of a TypeScript source, each with its first line. Expressions inserted in a template are
 * left out (`$$` marks the place) and read as code, so literals within them are found, too.
 *
 * It supports the part of the language that our sources use: comments, quotes, templates, and regular expressions where one can
 * begin.
 */
export interface Literal {
  line: number;
  text: string;
}

export function literalsOf(source: string): Literal[] {
  const found: Literal[] = [];
  const at = (place: number) => source.slice(0, place).split('\n').length;

  /** Reads code from `from` to the end, or to the brace that closes an inserted expression. @returns where it ended */
  function readCode(from: number, inserted: boolean): number {
    let open = 0;
    for (let i = from; i < source.length; i++) {
      const rest = source.startsWith('//', i) ? '\n' : source.startsWith('/*', i) ? '*/' : null;
      if (rest !== null) i = after(rest, i) - 1;
      else if (source[i] === '{') open++;
      else if (source[i] === '}' && inserted && open-- === 0) return i;
      else if (source[i] === "'" || source[i] === '"') i = readQuoted(i);
      else if (source[i] === '`') i = readTemplate(i);
      else if (source[i] === '/' && beginsExpression(i)) i = readExpression(i);
    }
    return source.length;
  }

  const after = (end: string, from: number) => {
    const place = source.indexOf(end, from);
    return place < 0 ? source.length : place + end.length;
  };

  /** A slash after a value is a division. */
  const beginsExpression = (place: number) =>
    /(^|[(,=:[!&|?{};\n]|=>|return)\s*$/.test(source.slice(Math.max(0, place - 40), place));

  function readExpression(from: number): number {
    let inSet = false;
    for (let i = from + 1; i < source.length; i++) {
      if (source[i] === '\\') i++;
      else if (source[i] === '[') inSet = true;
      else if (source[i] === ']') inSet = false;
      else if (source[i] === '/' && !inSet) return i;
    }
    return source.length;
  }

  function readQuoted(from: number): number {
    let i = from + 1;
    while (i < source.length && source[i] !== source[from]) i += source[i] === '\\' ? 2 : 1;
    found.push({ line: at(from), text: source.slice(from + 1, i) });
    return i;
  }

  function readTemplate(from: number): number {
    let text = '';
    let i = from + 1;
    for (; i < source.length && source[i] !== '`'; i++) {
      if (source[i] === '\\') text += source.slice(i, ++i + 1);
      else if (source.startsWith('${', i)) {
        i = readCode(i + 2, true);
        text += '$$';
      } else text += source[i];
    }
    found.push({ line: at(from), text });
    return i;
  }

  readCode(0, false);
  return found;
}
