import { ApiProblem, whyUnanswered } from '../../../api/client.ts';

/** How an export ended: the number of players in the file. */
export interface Exported {
  players: number;
}

/**
 * Exports a list and saves the file. An export changes the entries, so it is a POST, which a link cannot make.
 *
 * @throws {ApiProblem} with the reason of a refusal, or {Unanswered}
 */
export async function exportList(
  brand: string,
  { channel, list }: { channel: string; list: string },
  format: 'csv' | 'jsonl',
): Promise<Exported> {
  const path = [brand, 'lists', channel, list, `export.${format}`].map(encodeURIComponent).join('/');
  const answer = await fetch(`/api/console/v1/brands/${path}`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'x-croupier-console': '1', 'accept-language': document.documentElement.lang },
  }).catch((error: unknown) => {
    throw whyUnanswered(error);
  });
  if (!answer.ok) {
    const body = await answer.json().catch(() => ({}));
    throw new ApiProblem(answer.status, body, answer.headers.get('content-language'));
  }
  const file = await answer.blob();
  const players = playersIn(await file.text(), format);
  if (players > 0) save(file, `${channel}-${list}.${format}`);
  return { players };
}

/** Counts the rows of the file. A text in quotation marks may contain line breaks. Pure. */
export function playersIn(text: string, format: 'csv' | 'jsonl'): number {
  let [rows, isQuoted] = [0, false];
  for (const char of text) {
    if (char === '"' && format === 'csv') isQuoted = !isQuoted;
    if (char === '\n' && !isQuoted) rows++;
  }
  return format === 'csv' ? Math.max(0, rows - 1) : rows;
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
