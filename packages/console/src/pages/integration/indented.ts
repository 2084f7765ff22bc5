/**
 * Indents a JSON text for reading. It changes only white space between the values, so numbers and texts stay exactly as they
 * were sent. Parsing the text would round large numbers. Pure.
 */
export function indented(json: string): string {
  let out = '';
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of json.matchAll(tokens)) {
    if (token === '{' || token === '[') {
      depth++;
      out += token + line();
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      // An empty object or array stays on one line.
      out = /[[{]\s*$/.test(out) ? out.trimEnd() + token : out + line() + token;
    } else if (token === ',') out += token + line();
    else if (token === ':') out += ': ';
    else out += token;
  }
  return out;
}

/** A complete text, a sign, or everything else up to the next sign. White space between them is skipped. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|"/g;
