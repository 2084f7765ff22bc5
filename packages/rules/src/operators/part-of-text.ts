import type { Operator } from './operator.ts';
import { kindsOfValue } from './values.ts';

/** Case-sensitive, because codes and ids are compared as the operator writes them. */
function partOfText(
  name: string,
  words: string,
  holds: (actual: string, part: string) => boolean,
  sql: (expression: string, part: string) => string,
): Operator {
  return {
    name,
    kinds: ['text'],
    check: (value) => kindsOfValue.text.wrong(value),
    holds: ({ actual, value }) => holds(String(actual), String(value)),
    sql: (expression, value, writer) => sql(expression, writer.parameter(value, 'text')),
    words: (value) => `${words} "${String(value)}"`,
  };
}

export const contains = partOfText(
  'contains',
  'contains',
  (actual, part) => actual.includes(part),
  (expression, part) => `position(${part} in ${expression}) > 0`,
);
export const beginsWith = partOfText(
  'beginsWith',
  'begins with',
  (actual, part) => actual.startsWith(part),
  (expression, part) => `starts_with(${expression}, ${part})`,
);
export const endsWith = partOfText(
  'endsWith',
  'ends with',
  (actual, part) => actual.endsWith(part),
  (expression, part) => `right(${expression}, length(${part})) = ${part}`,
);
