import type { Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import { placeOf } from './place-of.ts';

export interface CodeProblem {
  message: string;
  /**
   * Text that marks the place of the problem. If it is omitted or not found, the place is read from the message
   * (`line:2, col:5`). If the message does not contain one, the place is the beginning.
   */
  words?: string;
}

/** Returns the range of each problem in the text. Pure. */
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
