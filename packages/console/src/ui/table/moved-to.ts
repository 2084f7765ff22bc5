/** Number of rows by which Page Up and Page Down move. */
const pageOf = 10;

/** Returns the row to which a key moves from a row, or undefined for keys that do not move. Pure. */
export function movedTo(key: string, from: number, rows: number): number | undefined {
  const to = {
    ArrowDown: from + 1,
    j: from + 1,
    ArrowUp: from - 1,
    k: from - 1,
    PageDown: from + pageOf,
    PageUp: from - pageOf,
    Home: 0,
    End: rows - 1,
  }[key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), rows - 1);
}
