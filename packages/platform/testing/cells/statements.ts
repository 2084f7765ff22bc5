/*
 * Checks what a statement must not do in a distributed cell (docs/decisions/1202). Statements are read as text, without
 * comments; `$$` marks a place where the source inserts something.
 */

/** The tables named in the statement. */
export function tablesIn(sql: string, known: ReadonlySet<string>): string[] {
  const named = sql.matchAll(
    /\b(?:from|join|into|update|using|lock(?:\s+table)?|truncate(?:\s+table)?|,)\s+(?:only\s+)?(?:(?:\w+|\$\$)\.)?(\w+)/gi,
  );
  return [...new Set([...named].map(([, name = '']) => name).filter((name) => known.has(name)))];
}

/**
 * Finds a clock, sequence or random value in what an UPDATE or DO UPDATE sets, or in a CASE. @returns what was found, as
 * written
 */
export function changingValues(sql: string): string[] {
  const bare = sql.replace(/--.*$/gm, '');
  const parts = [...bare.matchAll(/\bset\b([\s\S]*?)(?=\bfrom\b(?![^()]*\))|\bwhere\b(?![^()]*\))|\breturning\b|$)/gi)]
    .map(([, part = '']) => part)
    .concat([...bare.matchAll(/\bcase\b[\s\S]*?\bend\b/gi)].map(([part]) => part));
  const found = parts.flatMap((part) => [
    ...part.matchAll(
      /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|nextval|random|gen_random_uuid|uuidv4|uuidv7)\s*\(/gi,
    ),
    ...part.matchAll(/\b(?:current_timestamp|current_date|current_time|localtimestamp|localtime)\b/gi),
  ]);
  return [...new Set(found.map(([found]) => (found.endsWith('(') ? `${found})` : found)))];
}

/**
 * The same for a part of a statement that the source adds after a SET, such as `due_at = now()`. Conditions may use the clock, so
 * everything after an `and` or `or` is left out.
 */
export function changingAssignments(piece: string): string[] {
  if (!/^\s*(?:\$\$|\w+)(?:\.\w+)?\s*=\s/.test(piece)) return [];
  return changingValues(`set ${piece.split(/\b(?:and|or)\b/i)[0]}`);
}

/** Names that tie a statement to one schema. */
export function schemasIn(sql: string): string[] {
  return [...new Set([...sql.matchAll(/\b(?:public|live)\.(?=\w|\$\{)/gi)].map(([name]) => name.toLowerCase()))];
}

export const isStatement = (text: string): boolean =>
  /^\s*(?:--.*\n\s*)*(?:select|insert|update|delete|merge|with|lock|truncate|analyze|vacuum|from|where|set|on conflict)\b/i.test(
    text,
  ) || /\b(?:do update|set|from|join)\b[\s\S]*\b\w+\./i.test(text);
