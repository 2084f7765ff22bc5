/** Selects one page of a list whose items have a name and a code. A condition that is omitted does not restrict it. */
export interface NamedPage {
  /** A part of the name or code; letter case is ignored. */
  name?: string | undefined;
  /** Only the items with these codes. */
  codes?: readonly string[] | undefined;
  /** The last item of the previous page. */
  after?: { name: string; code: string } | undefined;
  limit: number;
}

/**
 * The end of a statement that reads such a page: more conditions for its `where` clause, its order (by name, then by
 * code) and its limit.
 * @param columns expressions for the name and the code
 * @param first the number of the first parameter used here. The parameters are those of `namedPageValues`
 */
export function namedPageSql({ name, code }: { name: string; code: string }, first: number): string {
  const [limit, part, codes, lastName, lastCode] = Array.from({ length: 5 }, (_, place) => `$${first + place}`);
  return `and (${part}::text is null or position(lower(${part}) in lower(${name})) > 0 or position(lower(${part}) in ${code}) > 0)
        and (${codes}::text[] is null or ${code} = any(${codes}::text[]))
        and (${lastName}::text is null or (lower(${name}) collate "C", ${code} collate "C") > (lower(${lastName}), ${lastCode}))
      order by lower(${name}) collate "C", ${code} collate "C" limit ${limit}`;
}

/** The values of the parameters of `namedPageSql`. */
export function namedPageValues({ name, codes, after, limit }: NamedPage): unknown[] {
  return [limit, name ?? null, codes ?? null, after?.name ?? null, after?.code ?? null];
}
