/*
 * Reads a CSV file with outcomes of a list for telephone or post. Pure. Spreadsheets write commas or semicolons, with or
 * without quotation marks and a byte order mark.
 */
export const outcomes = ['reached', 'not_reached', 'opted_out'] as const;
export type Outcome = (typeof outcomes)[number];

export interface OutcomeRow {
  /** Line of the file; the header is line 1. */
  line: number;
  message_id: number;
  outcome: Outcome;
}

export interface OutcomeFile {
  rows: OutcomeRow[];
  problems: { line: number; problem: 'columns' | 'id' | 'outcome' | 'none' }[];
}

export function readOutcomes(text: string): OutcomeFile {
  const lines = cellsOf(text.replace(/^\uFEFF/, ''));
  const header = lines[0]?.cells.map((name) => name.trim().toLowerCase()) ?? [];
  const [id, result] = [header.indexOf('message_id'), header.indexOf('outcome')];
  if (id === -1 || result === -1) return { rows: [], problems: [{ line: 1, problem: 'columns' }] };
  const rows: OutcomeRow[] = [];
  const problems: OutcomeFile['problems'] = [];
  for (const { line, cells } of lines.slice(1)) {
    const given = cells[result]?.trim().toLowerCase().replaceAll(' ', '_') ?? '';
    if (given === '') continue;
    const outcome = outcomes.find((one) => one === given);
    const message_id = Number(cells[id]?.trim() || Number.NaN);
    if (outcome === undefined) problems.push({ line, problem: 'outcome' });
    else if (!Number.isSafeInteger(message_id) || message_id < 1) problems.push({ line, problem: 'id' });
    else rows.push({ line, message_id, outcome });
  }
  if (rows.length === 0 && problems.length === 0) problems.push({ line: 1, problem: 'none' });
  return { rows, problems };
}

/** Splits RFC 4180 text into cells. The separator is the one that the first line contains. */
function cellsOf(text: string): { line: number; cells: string[] }[] {
  const [first = ''] = text.split(/\r?\n/, 1);
  const separator = ['\t', ';', ','].find((one) => first.includes(one)) ?? ',';
  const found: { line: number; cells: string[] }[] = [];
  let [line, start, cell, isQuoted] = [1, 1, '', false];
  let cells: string[] = [];
  const endLine = () => {
    cells.push(cell);
    if (cells.some((one) => one !== '')) found.push({ line: start, cells });
    [cell, cells, start] = ['', [], line];
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '\n') line++;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') cell += text[at++];
      else isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === separator) {
      cells.push(cell);
      cell = '';
    } else if (char === '\n') endLine();
    else if (char !== '\r') cell += char;
  }
  endLine();
  return found;
}
