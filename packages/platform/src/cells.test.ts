import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { changingAssignments, changingValues, isStatement, schemasIn, tablesIn } from '../testing/cells/statements.ts';
import { literalsOf } from '../testing/cells/strings.ts';
import { readTables, type Table, tablesOf } from '../testing/cells/tables.ts';
import { migrationsFolder } from './database/index.ts';

/*
 * Checks that the platform is ready for cells. The tests read the text of the migrations and of the SQL in the sources, and compare it with
 * the rules of docs/decisions/1202 and 1203. There is only one cell now. The rules make sure that several cells remain possible.
 */
const source = fileURLToPath(new URL('./', import.meta.url));
const tables = await tablesOf(migrationsFolder);
const homeOf = new Map(tables.map(({ name, home }) => [name, home]));
const { statements, pieces } = await allStatements();

/**
 * If a unique key has one of these columns, all rows that it compares are in one cell: the column contains the bucket, or is made
 * of the values from which the bucket is computed (brand and user_id).
 */
const tellBucket = new Set([
  'player_id',
  'bucket',
  'user_id',
  'user_key',
  // Ids with the bucket in their low 6 bits.
  'message_id',
  'decision_id',
  'intent_id',
  'transition_id',
  'change_id',
  'news_id',
  'item_id',
  'attempt_id',
  'request_id',
  'withdrawal_id',
  'run_id',
  'story_id',
  'signal_id',
  'subscription_id',
  'delivery_id',
  'erasure_id',
  // A position in the ledger of the cell.
  'writer_id',
]);

/** These are unique across all players on purpose. */
const uniqueOverPlayers: Record<string, string> = {
  'push_subscription (brand_id, endpoint_hash)':
    'If another player signs in on a device, the device must be removed from the first player. Otherwise it would show the messages of ' +
    'the first player to the other. With several cells, the cell that registers a device notifies the others.',
};

/** Files outside `ledger/` that name its tables, on purpose. */
const readsTheLedger: Record<string, string> = {
  'derive/players/awaiting.ts':
    'reads which players have an update that is not applied yet; players and their updates are in the same cell',
};

interface Statement {
  file: string;
  place: string;
  sql: string;
}

/** Statements, and the other literals, which may be pieces of statements. */
async function allStatements(): Promise<{ statements: Statement[]; pieces: Statement[] }> {
  const files = (await readdir(source, { recursive: true })).filter((file) =>
    /^(?!.*\.(test|prop|e2e)\.).*\.ts$/.test(file),
  );
  const read = async (file: string) => {
    const literals = literalsOf(await readFile(path.join(source, file), 'utf8'));
    return literals.map(({ line, text }) => ({ file, place: `${file}:${line}`, sql: text }));
  };
  const all = (await Promise.all(files.map(read))).flat();
  const { statements = [], pieces = [] } = Object.groupBy(all, ({ sql }) =>
    isStatement(sql) ? 'statements' : 'pieces',
  );
  return { statements, pieces };
}

const keyName = ({ name }: Table, columns: readonly string[]) => `${name} (${columns.join(', ')})`;
const spansPlayers = (table: Table) =>
  table.unique
    .filter((columns) => !columns.some((column) => tellBucket.has(column)))
    .map((columns) => keyName(table, columns));
/** A table whose primary key is a plain number, neither made by id_in_bucket nor checked against the player. */
const givesSilentIds = ({ body }: Table) => {
  const [line, id] = /^ +(\w+) +bigint [^\n]*primary key/m.exec(body) ?? [];
  if (line === undefined || id === undefined || id === 'player_id' || !/^ +player_id /m.test(body)) return false;
  return !line.includes('id_in_bucket(') && !body.includes(`check (${id} & 63 = player_id & 63)`);
};
const isOfCell = (name: string) => homeOf.get(name)?.startsWith('cell') === true;

describe('tables', () => {
  test('each declares its home after the opening parenthesis: `cell`, `cell: its own` or `control`', async () => {
    expect(tables.length).toBeGreaterThan(100);
    expect(tables.filter(({ home }) => home === null).map(({ name, file }) => `${file}: ${name}`)).toEqual([]);
  });

  test('each row in a cell belongs to a player, and is unique only for that player', () => {
    const cells = tables.filter(({ home }) => home === 'cell');
    const foreign = cells.filter(
      ({ body }) => ![...tellBucket].some((column) => new RegExp(`^\\s*${column} `, 'm').test(body)),
    );
    expect(foreign.map(({ name }) => name)).toEqual([]);
    expect(cells.flatMap(spansPlayers).sort()).toEqual(Object.keys(uniqueOverPlayers).sort());
  });

  test('an id that a table assigns to data of a player contains the bucket', () => {
    const silent = tables.filter((table) => table.home === 'cell' && givesSilentIds(table));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test('no table refers to one of another home', () => {
    const across = tables.flatMap((table) =>
      table.refersTo
        .filter((other) => (homeOf.get(other) === 'control') !== (table.home === 'control'))
        .map((other) => `${table.name} refers to ${other}`),
    );
    expect(across).toEqual([]);
  });
});

describe('statements', () => {
  const ofCell = statements.filter(({ sql }) => {
    const named = tablesIn(sql, new Set(homeOf.keys()));
    return named.length === 0 || named.some(isOfCell);
  });

  test('name no schema', () => {
    const named = statements.filter(({ file, sql }) => !bindsSchemas(file) && schemasIn(sql).length > 0);
    expect(named.map(({ place, sql }) => `${place} ${schemasIn(sql)}`)).toEqual([]);
  });

  test('take clocks, claim numbers and random values as parameters where they change rows', () => {
    const found = ofCell.filter(({ sql }) => changingValues(sql).length > 0);
    expect(found.map(({ place, sql }) => `${place} ${changingValues(sql)}`)).toEqual([]);
    const inPieces = pieces.filter(({ sql }) => changingAssignments(sql).length > 0);
    expect(inPieces.map(({ place, sql }) => `${place} ${sql}`)).toEqual([]);
  });

  test('leave the tables of the ledger to the ledger', () => {
    const own = new Set(tables.filter(({ file }) => file === '0002-ledger.sql').map(({ name }) => name));
    expect(own).toContain('ledger_block');
    const reading = statements.filter(({ file, sql }) => !file.startsWith('ledger/') && tablesIn(sql, own).length > 0);
    expect([...new Set(reading.map(({ file }) => file))].toSorted()).toEqual(Object.keys(readsTheLedger).toSorted());
  });

  test('join no table of a cell with one of control', () => {
    const across = statements.filter(({ sql }) => {
      const named = tablesIn(sql, new Set(homeOf.keys()));
      return named.some(isOfCell) && named.some((name) => homeOf.get(name) === 'control');
    });
    expect(across.map(({ place }) => place)).toEqual([]);
  });
});

describe('planted violations are found', () => {
  const planted = (sql: string) => readTables('planted.sql', sql)[0] as Table;

  test('a table without a home', () => {
    expect(planted('create table thing (\n  player_id bigint\n);').home).toBeNull();
    expect(planted('create table thing ( -- somewhere\n  player_id bigint\n);').home).toBeNull();
  });

  test.each([
    [
      'a unique column',
      'create table thing ( -- cell\n  player_id bigint,\n  code text not null unique\n);',
      'thing (code)',
    ],
    [
      'a unique constraint',
      'create table thing ( -- cell\n  player_id bigint,\n  unique (brand_id, code)\n);',
      'thing (brand_id, code)',
    ],
    [
      'a unique index',
      'create table thing ( -- cell\n  player_id bigint\n);\ncreate unique index on_code on thing (code) where code > 1;',
      'thing (code)',
    ],
  ])('%s that spans players', (_name, sql, found) => expect(spansPlayers(planted(sql))).toEqual([found]));

  test('an id without a bucket', () => {
    const made = (id: string) => planted(`create table thing ( -- cell\n  ${id},\n  player_id bigint not null\n);`);
    expect(givesSilentIds(made('thing_id bigint generated always as identity primary key'))).toBe(true);
    expect(
      givesSilentIds(made('thing_id bigint generated always as (id_in_bucket(number, player_id)) stored primary key')),
    ).toBe(false);
  });

  test('a reference', () => {
    expect(planted('create table thing ( -- cell\n  brand_id int references brand\n);').refersTo).toEqual(['brand']);
  });

  test.each([
    ["update thing set due_at = now() + $1 * interval '1 s' where id = $2", ['now()']],
    ['insert into thing (a) values ($1) on conflict (a) do update set b = nextval($2)', ['nextval()']],
    ['insert into thing (a) select case when $1 then random() end', ['random()']],
    ['update thing set a = (select max(b) from other), c = clock_timestamp() where id = $1', ['clock_timestamp()']],
    ['update thing set a = current_timestamp where id = $1', ['current_timestamp']],
    ['update thing set a = localtimestamp, b = uuidv7() where id = $1', ['uuidv7()', 'localtimestamp']],
    ['update thing set a = transaction_timestamp() where id = $1', ['transaction_timestamp()']],
    ['insert into thing (a, b) values (now(), $1) on conflict do nothing', []],
    ['update thing set a = $1 where due_at <= $2', []],
  ])('%s', (sql, found) => expect(changingValues(sql)).toEqual(found));

  test('a piece of a statement that assigns', () => {
    expect(changingAssignments('$$ = now()')).toEqual(['now()']);
    expect(changingAssignments("due_at = $1, made_at = now() - interval '1 s'")).toEqual(['now()']);
    expect(changingAssignments('q.claim = $1 and q.due_at > now()')).toEqual([]);
  });

  test('a schema, a join, a statement within a template', () => {
    expect(schemasIn('select 1 from live.payment join public.brand b using (x)')).toEqual(['live.', 'public.']);
    expect(schemasIn('select 1 from LIVE.payment')).toEqual(['live.']);
    const homes = new Set(['brand', 'notification']);
    expect(tablesIn('lock table notification, brand in share mode', homes)).toEqual([...homes].toReversed());
    expect(tablesIn('truncate brand', homes)).toEqual(['brand']);
    expect(
      tablesIn('select 1 from notification n join brand b using (brand_id)', new Set(['brand', 'notification'])),
    ).toEqual(['notification', 'brand']);
    const literals = literalsOf(
      `const a = \`select \${b ? \`update thing set c = now()\` : ""} from d\`; // \`not this\`\n"and this"`,
    );
    expect(literals.map(({ text }) => text).sort()).toEqual([
      '',
      'and this',
      'select $$ from d',
      'update thing set c = now()',
    ]);
  });
});

function bindsSchemas(file: string): boolean {
  // derive works on live, baseline and shadow side by side; the inventory of erasures names each of them.
  return file.startsWith('derive/') || file.startsWith('privacy/inventory/');
}
