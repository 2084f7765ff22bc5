import { expect, test } from 'vitest';
import { readOutcomes } from './outcome-file.ts';

test('outcomes of a spreadsheet: other columns, quotation marks and lines without an outcome are accepted', () => {
  const text =
    '\uFEFFmessage_id,note,outcome\r\n64,"Ask, twice\nthe ""new"" game",reached\r\n128,x,\r\n192,"y",Not reached\r\n';
  expect(readOutcomes(text)).toEqual({
    rows: [
      { line: 2, message_id: 64, outcome: 'reached' },
      { line: 5, message_id: 192, outcome: 'not_reached' },
    ],
    problems: [],
  });
});

test.each([
  [';', 'outcome;message_id\nopted_out;64', [{ line: 2, message_id: 64, outcome: 'opted_out' }]],
  ['tab', 'message_id\toutcome\n64\topted_out\n\n', [{ line: 2, message_id: 64, outcome: 'opted_out' }]],
])('the separator may be %s', (_, text, rows) => {
  expect(readOutcomes(text)).toEqual({ rows, problems: [] });
});

test('each row that cannot be reported is named by its line', () => {
  expect(readOutcomes('message_id,outcome\nabc,reached\n64,maybe\n,reached\n1.5,reached\n').problems).toEqual([
    { line: 2, problem: 'id' },
    { line: 3, problem: 'outcome' },
    { line: 4, problem: 'id' },
    { line: 5, problem: 'id' },
  ]);
  expect(readOutcomes('id,result\n64,reached').problems).toEqual([{ line: 1, problem: 'columns' }]);
  expect(readOutcomes('message_id,outcome\n64,\n').problems).toEqual([{ line: 1, problem: 'none' }]);
});
