import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { topicsOfName } from '../../../../console/src/api/topics.ts';
import { changedTopics, topics, topicTables } from './topics.ts';

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

test('pages of the console follow exactly the topics that exist', () => {
  expect(new Set(Object.values(topicsOfName).flat())).toEqual(new Set(topics));
});

test('the effects of an event follow the tables of every kind of effect', () => {
  const own = topics.filter((topic) => topicsOfName.effects?.includes(topic));
  const followed = new Set<string>(own.flatMap((topic) => [...topicTables[topic]]));
  const tables = [
    'segment_member',
    'player_tag',
    'campaign_run',
    'campaign_run_step',
    'gate_decision',
    'notification',
    'email_message',
    'called_message',
    'bonus_intent',
    'player_sync',
    'protection_transition',
    'write_back_item',
  ];
  for (const table of tables) expect(followed, table).toContain(table);
});

/** Queries that these pages read once, beside the ones that they follow. */
const readOnce = ['brand', 'recall-affected'];
/** Pages that are read again although no change is reported: `useQuery` with an interval, or a list with `refreshMs`. */
const followed = /every\(|refreshMs=\{/;

test('every page of the console that is read again follows a topic', () => {
  const folder = new URL('../../../../console/src/pages/', import.meta.url);
  const names = new Set<string>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.tsx')) continue;
    const source = readFileSync(new URL(file, folder), 'utf8');
    if (!followed.test(source)) continue;
    for (const [, name = ''] of source.matchAll(/(?:name=\{|queryKey: |(?:touches|key) = )\[brand, '([\w-]+)'/g))
      names.add(name);
  }
  expect(names.size).toBeGreaterThan(25);
  expect([...names].filter((name) => topicsOfName[name] === undefined && !readOnce.includes(name))).toEqual([]);
});
