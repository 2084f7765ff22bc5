/*
 * What a statement may not do in a cell that is distributed (docs/decisions/1202). Statements are read as text, with the comments taken
 * out; `$$` stands where a source inserts something.
 */

/** Its tables, by the words of the statement. */
export function tablesIn(sql: string, known: ReadonlySet<string>): string[] {
  const named = sql.matchAll(/\b(?:from|join|into|update|using|,)\s+(?:only\s+)?(?:(?:\w+|\$\$)\.)?(\w+)/gi);
  return [...new Set([...named].map(([, name = '']) => name).filter((name) => known.has(name)))];
}

/** Clock, number or chance in what an UPDATE or DO UPDATE sets, or in a CASE. @returns what was found, as it is written. */
export function changingValues(sql: string): string[] {
  const bare = sql.replace(/--.*$/gm, '');
  const parts = [...bare.matchAll(/\bset\b([\s\S]*?)(?=\bfrom\b(?![^()]*\))|\bwhere\b(?![^()]*\))|\breturning\b|$)/gi)]
    .map(([, part = '']) => part)
    .concat([...bare.matchAll(/\bcase\b[\s\S]*?\bend\b/gi)].map(([part]) => part));
  const found = parts.flatMap((part) => [
    ...part.matchAll(/\b(?:now|clock_timestamp|statement_timestamp|nextval|random|gen_random_uuid)\s*\(/gi),
  ]);
  return [...new Set(found.map(([call]) => `${call})`))];
}

/** Names that bind a statement to one schema. */
export function schemasIn(sql: string): string[] {
  return [...new Set([...sql.matchAll(/\b(?:public|live)\.(?=\w|\$\{)/g)].map(([name]) => name))];
}

export const isStatement = (text: string): boolean =>
  /^\s*(?:--.*\n\s*)*(?:select|insert|update|delete|with|lock|truncate|from|where|set|on conflict)\b/i.test(text) ||
  /\b(?:do update|set|from|join)\b[\s\S]*\b\w+\./i.test(text);
