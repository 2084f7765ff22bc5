import type { Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import { placeOf } from './place-of.ts';

export interface CodeProblem {
  message: string;
  /** Words that stand where the problem is; without them it is where the message says `line:2, col:5`, else at the beginning. */
  words?: string;
}

/** Where each problem stands in the text. Pure. */
export function diagnosticsOf(doc: Text, problems: readonly CodeProblem[]): Diagnostic[] {
  return problems
    .map(({ message, words }): Diagnostic => {
      const found = words === undefined ? -1 : placeOf(words, doc.toString());
      if (words !== undefined && found >= 0)
        return { from: found, to: found + words.length, severity: 'error', message };
      const [, line = '1', column = '1'] = /\bline:(\d+), col:(\d+)/.exec(message) ?? [];
      const { from, to } = doc.line(Math.min(doc.lines, Math.max(1, Number(line))));
      const start = Math.min(to, from + Number(column) - 1);
      return { from: start, to, severity: 'error', message };
    })
    .sort((one, other) => one.from - other.from);
}
