import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/*
 * Keeps the arrows of ARCHITECTURE.md true by reading import lines: which package may know which, which stage may know
 * which, and that a stage is entered by its front door only. A test may reach for what it likes; the sandbox's tests may
 * not, because what the simulator knows must come from nowhere but itself.
 */
const packagesFolder = fileURLToPath(new URL('../../', import.meta.url));

/** A package, and the packages of ours that it may import. One that is not listed here fails. */
const packages: Record<string, readonly string[]> = {
  contracts: [],
  sandbox: ['contracts'],
  rules: ['contracts'],
  campaigns: ['contracts', 'rules'],
  browser: ['contracts'],
  console: ['contracts', 'rules', 'campaigns'],
  platform: ['contracts', 'rules', 'campaigns', 'browser', 'console'],
};

/**
 * A folder of the server, and those it may import: a stage knows what it consumes, never who consumes it. Single files
 * beside the folders (service.ts, clock.ts, ...) belong to nobody and import no folder; main.ts and wiring.ts stand above all.
 */
const folders: Record<string, readonly string[]> = {
  database: [],
  chores: ['database'],
  sealing: [],
  outgoing: ['chores', 'database'],
  brands: ['database'],
  config: ['brands'],
  http: [],
  ledger: ['chores', 'database'],
  buckets: ['ledger', 'chores', 'database'],
  ingest: ['ledger', 'brands', 'chores', 'database', 'http'],
  derive: ['buckets', 'ledger', 'brands', 'chores', 'database'],
  operator: ['derive', 'brands', 'outgoing', 'chores', 'database'],
  segments: ['operator', 'derive', 'buckets', 'ledger', 'brands', 'chores', 'database'],
  gate: ['sealing', 'operator', 'derive', 'brands', 'chores', 'database'],
  actions: ['gate', 'operator', 'derive', 'ledger', 'brands', 'outgoing', 'chores', 'database'],
  channels: ['gate', 'operator', 'derive', 'brands', 'outgoing', 'chores', 'database'],
  campaigns: [
    'segments',
    'channels',
    'actions',
    'gate',
    'operator',
    'derive',
    'buckets',
    'brands',
    'chores',
    'database',
  ],
  bulk: ['campaigns', 'segments', 'channels', 'actions', 'gate', 'operator', 'derive', 'brands', 'chores', 'database'],
  scenarios: [
    'campaigns',
    'segments',
    'channels',
    'gate',
    'operator',
    'derive',
    'buckets',
    'ledger',
    'brands',
    'chores',
    'database',
  ],
  site: [
    'channels',
    'actions',
    'gate',
    'operator',
    'derive',
    'ingest',
    'ledger',
    'brands',
    'chores',
    'database',
    'http',
  ],
  hosted: ['channels', 'operator', 'brands', 'database', 'http'],
  media: ['brands', 'database', 'http'],
  replies: ['channels', 'operator', 'ingest', 'ledger', 'brands', 'chores', 'database', 'http'],
  privacy: ['channels', 'actions', 'gate', 'operator', 'derive', 'ledger', 'brands', 'chores', 'database'],
  console: [
    'sealing',
    'scenarios',
    'campaigns',
    'bulk',
    'segments',
    'privacy',
    'site',
    'channels',
    'hosted',
    'media',
    'actions',
    'gate',
    'operator',
    'derive',
    'ingest',
    'buckets',
    'ledger',
    'brands',
    'chores',
    'database',
    'http',
  ],
  demo: ['campaigns', 'channels', 'segments', 'brands', 'database'],
  supervisor: ['demo', 'console', 'config', 'brands', 'database', 'wiring.ts'],
  cli: [
    'supervisor',
    'scenarios',
    'segments',
    'console',
    'privacy',
    'channels',
    'actions',
    'gate',
    'sealing',
    'operator',
    'derive',
    'ledger',
    'config',
    'brands',
    'database',
    'wiring.ts',
  ],
};
/**
 * A stage with rooms: each has a front door of its own, the stage itself has none. A room may import the rooms listed.
 * `calling` is how the platform calls an operator, `judging` what an answer says, `players` what the platform knows of a player from
 * there, `resync` how many players are read again. `fields` is what rules can ask, `preview` how many players a rule selects,
 * `audience` whom a bulk action reaches.
 */
const rooms: Record<string, Record<string, readonly string[]>> = {
  operator: {
    calling: [],
    judging: ['calling'],
    protection: ['calling', 'judging'],
    players: ['calling', 'judging', 'protection'],
    resync: ['judging', 'players'],
    writeback: ['calling', 'judging', 'protection', 'players'],
    reconciliation: ['calling', 'judging', 'protection', 'players', 'writeback'],
  },
  segments: { fields: [], preview: ['fields'], membership: ['fields'], audience: [] },
};
/** A longer front door shows that a stage, or a room, holds more than one idea. */
const mostNamesOfRoom = 40;
/** A segment's content, versions, members and tags change together, so one room holds them. */
const longerFronts: Record<string, number> = { 'segments/membership': 48 };
const above = ['main.ts', 'wiring.ts'];
/** Behind this second door is the ledger's implementation: everybody else is given a `Ledger`. */
const implementation = { door: 'ledger/postgres.ts', openedBy: 'wiring.ts' };
/** The supervisor needs the first account, and must not load the rest of the console, which imports all stages. */
const accounts = { door: 'console/accounts/index.ts', openedBy: 'supervisor' };
/** Parts of the HTTP server, each used by itself; everything else has an index.ts. */
const withoutFrontDoor = ['http'];

interface Import {
  /** Below packages/: platform/src/derive/worker.ts */
  file: string;
  target: string;
}

const imports = (await Promise.all((await sources()).map(importsOf))).flat();
const ofPlatform = imports.filter(({ file }) => file.startsWith('platform/src/') && !isTest(file));

async function sources(): Promise<string[]> {
  const entries = await readdir(packagesFolder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('node_modules'))
    .map((entry) => path.relative(packagesFolder, path.join(entry.parentPath, entry.name)));
}

async function importsOf(file: string): Promise<Import[]> {
  const text = await readFile(path.join(packagesFolder, file), 'utf8');
  const found = text.matchAll(/^(?:import|export|\} from)\b[^'"`;]*?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm);
  return [...found].map((match) => ({ file, target: match[1] ?? match[2] ?? '' }));
}

function isTest(file: string): boolean {
  return /\.test\.ts$|\/test\/|\/testing\//.test(file);
}

/** The package that an import of ours leads to; undefined for one from outside. */
function packageOf({ file, target }: Import): string | undefined {
  if (target.startsWith('@croupier/')) return target.split('/')[1];
  if (!target.startsWith('.')) return undefined;
  return path.join(path.dirname(file), target).split(path.sep)[0];
}

/** For an import between two parts of the server: both parts, and the file within the second. */
function partsOf({ file, target }: Import): { from: string; to: string; rest: string } | undefined {
  if (!target.startsWith('.')) return undefined;
  const within = (name: string) => path.relative('platform/src', name).split(path.sep);
  const [from = ''] = within(file);
  const [to = '', ...rest] = within(path.join(path.dirname(file), target));
  return from === to ? undefined : { from, to, rest: rest.join('/') };
}

describe('packages', () => {
  test('import only those that they may know', () => {
    const wrong = imports.filter((one) => {
      const [from = ''] = one.file.split(path.sep);
      if (from !== 'sandbox' && isTest(one.file)) return false;
      const to = packageOf(one);
      return to !== undefined && to !== from && !packages[from]?.includes(to);
    });
    expect(wrong).toEqual([]);
  });

  // contracts has two more, without Node in them, for code that runs in browsers.
  test('enter one another by their front door', () => {
    const inside = imports.filter(({ file, target }) => {
      const to = packageOf({ file, target });
      return (
        to !== undefined && to !== file.split(path.sep)[0] && !/^@croupier\/[a-z-]+(?:\/(?:site|time))?$/.test(target)
      );
    });
    expect(inside.filter(({ file }) => !isTest(file))).toEqual([]);
  });
});

describe('the parts of the server', () => {
  test('import only what they consume', () => {
    const wrong = ofPlatform.filter((one) => {
      const parts = partsOf(one);
      if (parts === undefined || above.includes(parts.from)) return false;
      if (folders[parts.to] === undefined && !above.includes(parts.to)) return false;
      return !folders[parts.from]?.includes(parts.to);
    });
    expect(wrong).toEqual([]);
  });

  test('enter one another by index.ts', () => {
    const wrong = ofPlatform.filter((one) => {
      const parts = partsOf(one);
      if (parts === undefined || folders[parts.to] === undefined || withoutFrontDoor.includes(parts.to)) return false;
      const isDoor = ({ door, openedBy }: { door: string; openedBy: string }) =>
        parts.from === openedBy && `${parts.to}/${parts.rest}` === door;
      if (isDoor(implementation) || isDoor(accounts)) return false;
      const room = rooms[parts.to] && parts.rest.split('/')[0];
      if (room !== undefined) return rooms[parts.to]?.[room] === undefined || parts.rest !== `${room}/index.ts`;
      return parts.rest !== 'index.ts';
    });
    expect(wrong).toEqual([]);
  });

  test('know the ledger by its interface alone', async () => {
    const door = await readFile(path.join(packagesFolder, 'platform/src', implementation.door), 'utf8');
    const names = [...door.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(',').map((n) => n.trim()));
    expect(names).toContain('PostgresLedger');
    const named: string[] = [];
    for (const file of new Set(ofPlatform.map((one) => one.file))) {
      if (file.startsWith('platform/src/ledger/') || file === `platform/src/${implementation.openedBy}`) continue;
      const text = await readFile(path.join(packagesFolder, file), 'utf8');
      named.push(...names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).map((name) => `${file}: ${name}`));
    }
    expect(named).toEqual([]);
  });

  test('enter their own rooms by index.ts, in the direction of the table', () => {
    const wrong = ofPlatform.filter(({ file, target }) => {
      if (!target.startsWith('.')) return false;
      const [stage = '', from = ''] = path.relative('platform/src', file).split(path.sep);
      const entered = path.relative('platform/src', path.join(path.dirname(file), target)).split(path.sep);
      const [toStage, to = '', ...rest] = entered;
      if (rooms[stage] === undefined || toStage !== stage || from === to) return false;
      return !rooms[stage]?.[from]?.includes(to) || rest.join('/') !== 'index.ts';
    });
    expect(wrong).toEqual([]);
  });

  test('have rooms with front doors of a size to remember', async () => {
    for (const [stage, of] of Object.entries(rooms))
      for (const room of Object.keys(of)) {
        const text = await readFile(path.join(packagesFolder, 'platform/src', stage, room, 'index.ts'), 'utf8');
        const names = [...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
          list.split(',').filter((n) => n.trim()),
        );
        const most = longerFronts[`${stage}/${room}`] ?? mostNamesOfRoom;
        expect(names.length, `${stage}/${room}`).toBeLessThanOrEqual(most);
        expect(names.length, `${stage}/${room}`).toBeGreaterThan(3);
      }
  });

  test('have a front door in groups of a size to remember', async () => {
    const door = await readFile(path.join(packagesFolder, 'platform/src/derive/index.ts'), 'utf8');
    const groups = [...door.matchAll(/^export \* from '\.\/([a-z]+\.ts)';$/gm)].map(([, group = '']) => group);
    expect(groups).toEqual(['figures.ts', 'following.ts', 'lists.ts', 'running.ts']);
    expect(door.match(/^export/gm)).toHaveLength(groups.length);
    for (const group of groups) {
      const text = await readFile(path.join(packagesFolder, 'platform/src/derive', group), 'utf8');
      const names = [...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
        list.split(',').filter((n) => n.trim()),
      );
      expect(names.length, group).toBeLessThanOrEqual(40);
      expect(text, group).not.toContain('export *');
    }
  });

  test('import nothing that serves the tests', () => {
    const wrong = ofPlatform.filter(({ file, target }) =>
      path.join(path.dirname(file), target).startsWith('platform/testing/'),
    );
    expect(wrong).toEqual([]);
  });

  // Test support lives in packages/platform/testing, under the path of the stage that it serves.
  test('hold no file that only tests use', () => {
    const used = new Set(ofPlatform.map(({ file, target }) => path.join(path.dirname(file), target)));
    // Programs, and what `npm run docs` makes a page from.
    const entryPoints = [
      'platform/src/main.ts',
      'platform/src/cli/main.ts',
      'platform/src/derive/traits/guide.ts',
      'platform/src/segments/fields/guide.ts',
    ];
    const unused = [...new Set(ofPlatform.map(({ file }) => file))].filter(
      (file) => !used.has(file) && !entryPoints.includes(file),
    );
    expect(unused).toEqual([]);
  });

  // Loading all stages takes two seconds of processor time, which a start would spend three times.
  test('are not loaded by the supervisor', async () => {
    const loaded = new Set(['platform/src/supervisor/supervisor.ts']);
    for (const file of loaded) {
      const text = await readFile(path.join(packagesFolder, file), 'utf8');
      for (const [, target = ''] of text.matchAll(
        /^(?:(?:import|export) (?!type )|\} from )[^'"`;]*?['"](\.[^'"]+\.ts)['"]/gm,
      ))
        loaded.add(path.join(path.dirname(file), target));
    }
    const parts = new Set([...loaded].map((file) => path.relative('platform/src', file).split(path.sep)[0]));
    expect(parts).toContain('database');
    const stages = ['ledger', 'derive', 'operator', 'segments', 'campaigns', 'channels', 'site', 'wiring.ts'];
    expect(stages.filter((stage) => parts.has(stage))).toEqual([]);
  });

  test('are all in the table above', async () => {
    const entries = await readdir(path.join(packagesFolder, 'platform/src'), { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    expect(names.sort()).toEqual(Object.keys(folders).sort());
  });

  test('are read at all', () => {
    expect(ofPlatform.length).toBeGreaterThan(100);
    expect(ofPlatform).toContainEqual({ file: 'platform/src/wiring.ts', target: './ledger/index.ts' });
  });
});
