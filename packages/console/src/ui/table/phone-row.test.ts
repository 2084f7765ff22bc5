import { expect, test } from 'vitest';
import type { Column } from './column.ts';
import { phoneRow } from './phone-row.ts';

const titles = { when: 'When', state: 'State', actions: 'Actions' };
const column = (title: string): Column<null> => ({ title, show: () => title });

function partsOf(...names: (string | Column<null>)[]) {
  const columns = names.map((one) => (typeof one === 'string' ? column(one) : one));
  const row = phoneRow(columns, titles);
  const namesOf = (some: readonly Column<null>[] | undefined) => some?.map(({ title }) => title);
  return { main: row?.main.title, facts: namesOf(row?.facts), rest: namesOf(row?.rest) };
}

test('the first column is the title, the next three are facts, and the others are shown when the row is opened', () => {
  expect(partsOf('Name', 'Channel', 'Purpose', 'Languages', 'Version', 'Changed')).toEqual({
    main: 'Name',
    facts: ['Channel', 'Purpose', 'Languages'],
    rest: ['Version', 'Changed'],
  });
  expect(partsOf('Name', 'State', 'Share', 'Entered', 'Running').facts).toEqual([
    'State',
    'Share',
    'Entered',
    'Running',
  ]);
  expect(partsOf('Name', 'State', 'Since', 'By', 'Actions').rest).toEqual(['Actions']);
  expect(partsOf('Name', 'Value')).toEqual({ main: 'Name', facts: ['Value'], rest: [] });
});

test('a time is not the title of a row, unless the list says so or has nothing else', () => {
  expect(partsOf('When', 'Player', 'State')).toEqual({ main: 'Player', facts: ['When', 'State'], rest: [] });
  expect(partsOf({ ...column('When'), isMain: true }, 'State').main).toBe('When');
  expect(partsOf('When', 'Type', { ...column('Amount'), isMain: true }).main).toBe('Amount');
  expect(partsOf('When')).toEqual({ main: 'When', facts: [], rest: [] });
  expect(partsOf().main).toBeUndefined();
});

test('the state is a fact wherever its column is, and buttons are never one', () => {
  expect(partsOf('Kind', 'Actions', 'Reasons', 'Player', 'Tries', 'State')).toEqual({
    main: 'Kind',
    facts: ['State', 'Reasons', 'Player'],
    rest: ['Actions', 'Tries'],
  });
});
