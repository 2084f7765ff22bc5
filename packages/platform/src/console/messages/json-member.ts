/**
 * The text of one member of a JSON object as it was written. It has the original order of keys and every digit of its numbers,
 * which a JavaScript object does not keep. Pure; reads the text once.
 *
 * @param json an object, and valid JSON
 * @returns undefined if there is no such member. If there are several, the last one counts, as in JSON.parse.
 */
export function memberText(json: string, name: string): string | undefined {
  const token = /("[^"\\]*(?:\\.[^"\\]*)*")|[{}[\],:]/gs;
  let depth = 0;
  let text = '';
  let member: { name: string; from: number } | undefined;
  let found: string | undefined;
  for (const { 0: mark, 1: string, index } of json.matchAll(token)) {
    if (string !== undefined) {
      if (depth === 1) text = string;
    } else if (mark === '{' || mark === '[') depth++;
    else if (mark === '}' || mark === ']') depth--;
    else if (mark === ':' && depth === 1 && member === undefined) member = { name: JSON.parse(text), from: index + 1 };
    const isOver = depth === 0 || (depth === 1 && mark === ',');
    if (isOver && member !== undefined) {
      if (member.name === name) found = json.slice(member.from, index).trim();
      member = undefined;
    }
  }
  return found;
}
