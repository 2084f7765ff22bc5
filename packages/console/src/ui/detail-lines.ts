/** One field of a record, or of a change. */
export interface DetailLine {
  /** Names from the outside to the inside: `settings`, `quiet_hours`, `from`. */
  path: readonly string[];
  value: unknown;
  /** Of a change: the value before it. Absent if the record is no change. */
  before?: unknown;
}

type Record = Readonly<{ [name: string]: unknown }>;

const isRecord = (value: unknown): value is Record =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a record and of the records in it, in their order. An empty record is a value. */
function leavesOf(record: Record, path: readonly string[] = []): DetailLine[] {
  return Object.entries(record).flatMap(([name, value]) =>
    isRecord(value) && Object.keys(value).length > 0
      ? leavesOf(value, [...path, name])
      : [{ path: [...path, name], value }],
  );
}

const keyOf = ({ path }: DetailLine) => path.join('\0');

/**
 * What a record says, field by field. `before` and `after` become one line per field that differs; a field that only one of them has is
 * null in the other. Pure.
 */
export function detailLines(details: Record): DetailLine[] {
  const { before, after, ...others } = details;
  if (!isRecord(before) || !isRecord(after)) return leavesOf(details);
  const former = new Map(leavesOf(before).map((line) => [keyOf(line), line]));
  const latter = new Map(leavesOf(after).map((line) => [keyOf(line), line]));
  const changes = [...new Map([...former, ...latter])].map(([key, { path }]) => ({
    path,
    before: former.get(key)?.value ?? null,
    value: latter.get(key)?.value ?? null,
  }));
  const differ = changes.filter((line) => JSON.stringify(line.before) !== JSON.stringify(line.value));
  return [...differ, ...leavesOf(others)];
}

/** A value as text. Elements of a list are separated by commas. Pure. */
export function detailText(value: unknown, say: { yes: string; no: string; none: string; code(text: string): string }): string {
  if (value === null || value === undefined || value === '') return say.none;
  if (typeof value === 'boolean') return value ? say.yes : say.no;
  if (typeof value === 'string') return say.code(value);
  if (Array.isArray(value))
    return value.length === 0 ? say.none : value.map((element) => detailText(element, say)).join(', ');
  if (!isRecord(value)) return String(value);
  const parts = leavesOf(value).map(({ path, value: leaf }) => `${path.join('.')} ${detailText(leaf, say)}`);
  return parts.length === 0 ? say.none : parts.join(' ');
}
