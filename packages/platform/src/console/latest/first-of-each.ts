/** The first item of each name in a list, in the order of the list. Items without a name are omitted. Pure. */
export function firstOfEach<T>(items: readonly T[], nameOf: (item: T) => string | null): T[] {
  const seen = new Set<string | null>([null]);
  return items.filter((item) => {
    const name = nameOf(item);
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}
