/**
 * Returns the player ids of a list. The list has one id per line, or is a CSV file with the ids in its first column.
 * The heading `user_id` in the first line is ignored. Repeated ids count once.
 */
export function userIdsOf(text: string): string[] {
  const [heading = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const first = firstColumn(heading);
  const ids = [...(first.toLowerCase() === 'user_id' ? [] : [first]), ...lines.map(firstColumn)];
  return [...new Set(ids.filter((id) => id !== ''))];
}

function firstColumn(line: string): string {
  const quoted = /^\s*"((?:[^"]|"")*)"/.exec(line)?.[1];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  return (line.split(/[,;\t]/)[0] ?? '').trim();
}
