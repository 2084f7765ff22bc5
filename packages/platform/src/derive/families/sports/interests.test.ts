import { expect, test } from 'vitest';
import { teamsOfEvent } from './interests.ts';

test.each([
  ['Northport - Southport', ['Northport', 'Southport']],
  ['Northport – Southport', ['Northport', 'Southport']],
  ['Northport vs. Southport', ['Northport', 'Southport']],
  ['Northport v Southport', ['Northport', 'Southport']],
  ['Northport VS Southport', ['Northport', 'Southport']],
  [' Red Hill @ Saint-Port ', ['Red Hill', 'Saint-Port']],
  ['Saint-Port-Southport', []],
  ['Winner of the cup', []],
  ['A - B - C', []],
  [' - B', []],
  ['', []],
])('%j: %j', (name, teams) => {
  expect(teamsOfEvent(name)).toEqual(teams);
});
