import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/*
 * Enforces the import rules of ARCHITECTURE.md by reading import lines: which package may import which, which stage may import
 * which, and that a stage is imported only through its public files. Tests may import anything, except those of the sandbox: the
 * simulator's results must not depend on the platform.
 */
const packagesFolder = fileURLToPath(new URL('../../', import.meta.url));

/** A package, and the packages of ours that it may import. The test fails for a package that is not listed here. */
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
 * A folder of the server, and those it may import: a stage imports what it consumes, and never its consumers. Single files beside the
 * folders (service.ts, clock.ts, ...) belong to no stage and import no folder; main.ts and wiring/ may import every stage.
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
    'config',
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
  supervisor: ['demo', 'console', 'config', 'brands', 'database', 'wiring'],
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
    'wiring',
  ],
};
/**
 * Stages whose subfolders each have an index.ts, instead of one for the stage. A subfolder may import the listed
 * ones. `calling` calls operators, `judging` validates their answers, `players` stores the operator's records of players, and
 * `resync` reads many players again. `fields` has the fields of rules, `preview` counts the players that a rule selects, and
 * `audience` has the players that a bulk action reaches.
 */
const subfolders: Record<string, Record<string, readonly string[]>> = {
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
/** Maximum number of exports. More of them show that a folder has more than one purpose. */
const maxExports = 40;
/** A segment's content, versions, members and tags change together, so they are in one folder. */
const largerInterfaces: Record<string, number> = { 'segments/membership': 48 };
const above = ['main.ts', 'wiring'];
/** The ledger's implementation, which only the wiring imports. All other code gets a `Ledger`. */
const implementation = { entry: 'ledger/postgres.ts', importedBy: 'wiring' };
/**
 * The public files of stages that have routes: `index.ts` needs no HTTP server, so that a worker does not load one. `serving.ts`
 * has what an api process serves, and only the wiring imports it.
 */
const serving = ['console', 'hosted', 'replies', 'site'].map((stage) => ({
  entry: `${stage}/serving.ts`,
  importedBy: 'wiring',
}));
/** The supervisor needs the first account, and must not load the rest of the console, which imports all stages. */
const accounts = { entry: 'console/accounts/index.ts', importedBy: 'supervisor' };
/** Parts of the HTTP server, which are imported separately. All other folders have an index.ts. */
const withoutIndex = ['http'];

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

/** The package of ours that is imported; undefined for an import from outside. */
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

/**
 * What Node loads when it starts these files: all imports, except imports of types only and `import()`. Paths below
 * packages/, and names of libraries.
 */
async function loadedBy(...entries: string[]): Promise<{ files: string[]; libraries: string[] }> {
  const files = new Set(entries);
  const libraries = new Set<string>();
  for (const file of files) {
    const text = await readFile(path.join(packagesFolder, file), 'utf8');
    const statements = text.matchAll(/^(?:import|export) (?!type )(?:[\w\s*{},]*? from )?['"]([^'"]+)['"];$/gm);
    for (const [, target = ''] of statements) {
      if (target.startsWith('.')) files.add(path.join(path.dirname(file), target));
      else if (!target.startsWith('node:')) libraries.add(target);
      // An import of one of our packages leads to the public file of the package.
      const ours = /^@croupier\/([a-z-]+)$/.exec(target)?.[1];
      if (ours !== undefined && ours !== 'console') files.add(`${ours}/src/index.ts`);
    }
  }
  return { files: [...files], libraries: [...libraries] };
}

test('ARCHITECTURE.md links every package and every folder of the server', async () => {
  const text = await readFile(path.join(packagesFolder, '../ARCHITECTURE.md'), 'utf8');
  const linked = (name: string) => text.includes(`](packages/${name})`);
  // The package platform is linked by its folders.
  const places = [
    ...Object.keys(packages).filter((name) => name !== 'platform'),
    ...[...Object.keys(folders), 'wiring'].map((name) => `platform/src/${name}`),
  ];
  expect(places.filter((name) => !linked(name))).toEqual([]);
});

describe('packages', () => {
  test('import only the packages in the table', () => {
    const wrong = imports.filter((one) => {
      const [from = ''] = one.file.split(path.sep);
      if (from !== 'sandbox' && isTest(one.file)) return false;
      const to = packageOf(one);
      return to !== undefined && to !== from && !packages[from]?.includes(to);
    });
    expect(wrong).toEqual([]);
  });

  // The package contracts has two more public files, without Node in them, for code that runs in browsers.
  test('import one another only through their package name', () => {
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

  test('import one another only through index.ts', () => {
    const wrong = ofPlatform.filter((one) => {
      const parts = partsOf(one);
      if (parts === undefined || folders[parts.to] === undefined || withoutIndex.includes(parts.to)) return false;
      const isPublicFile = ({ entry, importedBy }: { entry: string; importedBy: string }) =>
        parts.from === importedBy && `${parts.to}/${parts.rest}` === entry;
      if ([implementation, accounts, ...serving].some(isPublicFile)) return false;
      const subfolder = subfolders[parts.to] && parts.rest.split('/')[0];
      if (subfolder !== undefined)
        return subfolders[parts.to]?.[subfolder] === undefined || parts.rest !== `${subfolder}/index.ts`;
      return parts.rest !== 'index.ts';
    });
    expect(wrong).toEqual([]);
  });

  test('know the ledger by its interface alone', async () => {
    const entry = await readFile(path.join(packagesFolder, 'platform/src', implementation.entry), 'utf8');
    const names = [...entry.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(',').map((n) => n.trim()));
    expect(names).toContain('PostgresLedger');
    const named: string[] = [];
    for (const file of new Set(ofPlatform.map((one) => one.file))) {
      if (['ledger', implementation.importedBy].some((of) => file.startsWith(`platform/src/${of}/`))) continue;
      const text = await readFile(path.join(packagesFolder, file), 'utf8');
      named.push(...names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).map((name) => `${file}: ${name}`));
    }
    expect(named).toEqual([]);
  });

  test('import their own subfolders only through index.ts, in the direction of the table', () => {
    const wrong = ofPlatform.filter(({ file, target }) => {
      if (!target.startsWith('.')) return false;
      const [stage = '', from = ''] = path.relative('platform/src', file).split(path.sep);
      const entered = path.relative('platform/src', path.join(path.dirname(file), target)).split(path.sep);
      const [toStage, to = '', ...rest] = entered;
      if (subfolders[stage] === undefined || toStage !== stage || from === to) return false;
      return !subfolders[stage]?.[from]?.includes(to) || rest.join('/') !== 'index.ts';
    });
    expect(wrong).toEqual([]);
  });

  test('have subfolders with a limited number of exports', async () => {
    for (const [stage, of] of Object.entries(subfolders))
      for (const subfolder of Object.keys(of)) {
        const text = await readFile(path.join(packagesFolder, 'platform/src', stage, subfolder, 'index.ts'), 'utf8');
        const names = [...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
          list.split(',').filter((n) => n.trim()),
        );
        const most = largerInterfaces[`${stage}/${subfolder}`] ?? maxExports;
        expect(names.length, `${stage}/${subfolder}`).toBeLessThanOrEqual(most);
        expect(names.length, `${stage}/${subfolder}`).toBeGreaterThan(3);
      }
  });

  test('export from derive in groups of a limited size', async () => {
    const entry = await readFile(path.join(packagesFolder, 'platform/src/derive/index.ts'), 'utf8');
    const groups = [...entry.matchAll(/^export \* from '\.\/([a-z]+\.ts)';$/gm)].map(([, group = '']) => group);
    expect(groups).toEqual(['figures.ts', 'following.ts', 'lists.ts', 'running.ts']);
    expect(entry.match(/^export/gm)).toHaveLength(groups.length);
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
    // These are programs, a module that `node --import` loads, and files from which `npm run docs` makes a page.
    const entryPoints = [
      'platform/src/main.ts',
      'platform/src/supervisor/tie.ts',
      'platform/src/cli/main.ts',
      'platform/src/derive/traits/guide.ts',
      'platform/src/segments/fields/guide.ts',
    ];
    const unused = [...new Set(ofPlatform.map(({ file }) => file))].filter(
      (file) => !used.has(file) && !entryPoints.includes(file),
    );
    expect(unused).toEqual([]);
  });

  // Loading all stages takes two seconds of processor time. If the supervisor loaded them, too, a start would need this
  // time three times.
  test('validate with the limit of errors that schema-check.ts sets', () => {
    const direct = ofPlatform.filter(({ target }) => /^typebox\/(?!type$)/.test(target)).map(({ file }) => file);
    expect([...new Set(direct)]).toEqual(['platform/src/schema-check.ts']);
  });

  test('are not loaded by the supervisor', async () => {
    const { files } = await loadedBy('platform/src/supervisor/supervisor.ts');
    const parts = new Set(files.map((file) => path.relative('platform/src', file).split(path.sep)[0]));
    expect(parts).toContain('database');
    const stages = ['ledger', 'derive', 'operator', 'segments', 'campaigns', 'channels', 'site', 'wiring'];
    expect(stages.filter((stage) => parts.has(stage))).toEqual([]);
  });

  // Each loaded module stays in memory as long as the process runs.
  test('are loaded by a worker without routes, and without the libraries of an HTTP server', async () => {
    const { files, libraries } = await loadedBy('platform/src/supervisor/role.ts', 'platform/src/wiring/worker.ts');
    expect(files).toContain('platform/src/site/index.ts');
    const served =
      /\/(?:[a-z-]*routes|serving|openapi)\.ts$|^platform\/src\/(?:wiring\/api\.ts|site\/api\/|console\/page\/)/;
    expect(files.filter((file) => served.test(file))).toEqual([]);
    expect(libraries).toContain('undici');
    const ofServers = /^(?:@fastify\/.*|fastify|ws|prom-client|jose|@croupier\/(?:browser|console))$/;
    expect(libraries.filter((name) => ofServers.test(name))).toEqual([]);
  });

  test.each(['api', 'worker'])(
    'are loaded by a process of the role %s without libraries that are rarely needed',
    async (role) => {
      const { libraries } = await loadedBy('platform/src/supervisor/role.ts', `platform/src/wiring/${role}.ts`);
      expect(libraries).toContain('pg');
      // A process loads them when it sends its first e-mail or push, or sanitizes its first HTML, or builds the browser script.
      const rare = /^(?:nodemailer.*|web-push|sanitize-html|mrml|esbuild|terser|openid-client|@simplewebauthn\/.*)$/;
      expect(libraries.filter((name) => rare.test(name))).toEqual([]);
    },
  );

  test('are loaded by an api process without the wiring of a worker', async () => {
    const { files } = await loadedBy('platform/src/supervisor/role.ts', 'platform/src/wiring/api.ts');
    expect(files).toContain('platform/src/wiring/shared.ts');
    expect(files).not.toContain('platform/src/wiring/worker.ts');
    expect(files.filter((file) => /^platform\/src\/(?:demo|cli)\//.test(file))).toEqual([]);
  });

  test('are all in the table above', async () => {
    const entries = await readdir(path.join(packagesFolder, 'platform/src'), { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    expect(names.sort()).toEqual([...Object.keys(folders), 'wiring'].sort());
  });

  test('are all read by this test', () => {
    expect(ofPlatform.length).toBeGreaterThan(100);
    expect(ofPlatform).toContainEqual({ file: 'platform/src/wiring/shared.ts', target: '../ledger/index.ts' });
  });
});
