import { readdir, readFile } from 'node:fs/promises';

/** Where the rows of a table are stored once players are spread over cells (docs/decisions/1202). */
export type Home = 'cell' | 'cell: its own' | 'control';
const homes: readonly string[] = ['cell', 'cell: its own', 'control'] satisfies Home[];

export interface Table {
  /** The name of the table, without its schema. */
  name: string;
  file: string;
  home: Home | null;
  /** The text between its parentheses. */
  body: string;
  /** Columns of its primary key, unique constraints and unique indexes. */
  unique: string[][];
  /** Tables referenced by its foreign keys. */
  refersTo: string[];
}

/** The tables that the migrations create. */
export async function tablesOf(folder: string): Promise<Table[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const files = await Promise.all(
    names.map(async (file) => ({ file, sql: await readFile(`${folder}/${file}`, 'utf8') })),
  );
  return files.flatMap(({ file, sql }) => readTables(file, sql));
}

export function readTables(file: string, sql: string): Table[] {
  const made = sql.matchAll(
    /^create (?:unlogged )?table (?:if not exists )?(?:\w+\.)?(\w+) \((?: -- (.*))?\n([\s\S]*?)^\)/gm,
  );
  return [...made].map(([, name = '', home = '', commented = '']) => {
    const body = commented.replace(/--.*$/gm, '');
    const indexes = sql.matchAll(
      new RegExp(`^create unique index \\w+ on (?:\\w+\\.)?${name} \\(([^;]*?)\\)(?: where|;)`, 'gm'),
    );
    return {
      name,
      file,
      home: homes.includes(home) ? (home as Home) : null,
      body,
      unique: [...constraintsOf(body), ...[...indexes].map(([, columns = '']) => split(columns))],
      refersTo: [...body.matchAll(/\breferences (\w+)/g)].map(([, other = '']) => other),
    };
  });
}

function constraintsOf(body: string): string[][] {
  const ofTable = body.matchAll(/^\s*(?:primary key|unique(?: nulls not distinct)?) \(([^)]*)\)/gm);
  const ofColumn = body.matchAll(/^\s*(\w+) [^\n]*\b(?:primary key|unique)\b/gm);
  return [
    ...[...ofTable].map(([, columns = '']) => split(columns)),
    ...[...ofColumn].flatMap(([line, column = '']) => (/^\s*(primary|unique)\b/.test(line) ? [] : [[column]])),
  ];
}

const split = (columns: string): string[] => columns.split(',').map((column) => column.trim());
