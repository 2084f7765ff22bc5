/**
 * Prints a table for people, with columns as wide as their widest cell. With `--json`: the raw rows as one JSON
 * document.
 */
export function printRows(rows: readonly Record<string, unknown>[], options: { json?: boolean } = {}): void {
  if (options.json) {
    printJson(rows);
    return;
  }
  const first = rows[0];
  if (first === undefined) {
    process.stdout.write('none\n');
    return;
  }
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines) {
    const padded = line.map((text, column) => text.padEnd(widths[column] ?? 0));
    process.stdout.write(`${padded.join('  ').trimEnd()}\n`);
  }
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** A time for people, from microseconds. */
export function moment(at: number | null): string {
  return at === null ? '' : `${new Date(at / 1000).toISOString().slice(0, 19)}Z`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
