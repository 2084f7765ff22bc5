import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { changedTopics, topicTables } from './topics.ts';

test('a topic is notified when one of its tables was written, but not when a table is read for the first time', () => {
  const before = new Map([
    ['quarantine', 3],
    ['rebuild', 1],
  ]);
  expect(
    changedTopics(
      before,
      new Map([
        ['quarantine', 3],
        ['rebuild', 1],
      ]),
    ),
  ).toEqual([]);
  expect(
    changedTopics(
      before,
      new Map([
        ['quarantine', 4],
        ['rebuild', 1],
      ]),
    ),
  ).toEqual(['overview', 'quarantine']);
  expect(changedTopics(new Map(), before)).toEqual([]);
  // Counters restart at zero after a crash of PostgreSQL: a smaller value is a change, too.
  expect(
    changedTopics(
      before,
      new Map([
        ['quarantine', 3],
        ['rebuild', 0],
      ]),
    ),
  ).toEqual(['operations']);
});

test('every table of a topic exists', () => {
  const folder = new URL('../../../migrations/', import.meta.url);
  const sql = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
  const made = new Set(
    [...sql.join('\n').matchAll(/^create (?:unlogged )?table (?:if not exists )?(?:\w+\.)?(\w+)/gim)].map(
      ([, name]) => name,
    ),
  );
  for (const table of Object.values(topicTables).flat()) expect(made, table).toContain(table);
});
