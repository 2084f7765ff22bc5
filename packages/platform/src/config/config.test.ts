import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { keepSecret } from '../kept-secret.ts';
import { readSettings } from './config.ts';
import { ConfigError, loadConfig } from './index.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'croupier-config-'));
afterAll(() => rm(folder, { recursive: true }));

const demo = {
  code: 'demo',
  name: 'Demo Casino',
  api_keys: [{ name: 'main', key: 'a key of 16 characters' }],
  operator: {
    base_url: 'http://localhost:8090/operator/',
    auth: { type: 'api_key', header: 'X-API-Key', value: '$' + '{OPERATOR_KEY}' },
  },
};

const notReadable =
  'is not a valid address: write special characters of the user name and the password percent-encoded (for example %23 for #), and the port as a number';
const noServer =
  'must name a host or the folder of a socket, such as postgres://user:password@host:5432/database or postgres:///database?host=/var/run/postgresql';

/** A document and an environment, and the errors that the person gets. */
const mistakes: [name: string, document: unknown, environment: Record<string, string>, expected: string[]][] = [
  ['an unknown setting', { prot: 1 }, {}, ['prot is not a setting: correct its spelling or remove it']],
  ['a port from the environment', {}, { PORT: 'abc' }, ['PORT must be a whole number from 0 to 65535']],
  ['a negative port from the environment', {}, { PORT: '-1' }, ['PORT must be a whole number from 0 to 65535']],
  ['a port out of range', { port: 70_000 }, {}, ['port must be at most 65535']],
  [
    'a log level',
    {},
    { LOG_LEVEL: 'loud' },
    ['LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent'],
  ],
  [
    'a number for a text',
    { brands: [{ code: 'x', name: 7 }] },
    {},
    ['brands[0].name must be a string: put it in quotes'],
  ],
  ['a text for a list', { brands: 'x' }, {}, ['brands must be a list']],
  ['a nested setting', { processes: { api: -1 } }, {}, ['processes.api must be at least 0']],
  [
    'a database of another kind',
    {},
    { DATABASE_URL: 'mysql://x' },
    ['DATABASE_URL must be the address of a PostgreSQL database, such as postgres://user:password@host:5432/database'],
  ],
  ...(
    [
      ['a # in the password', 'postgres://u:p#ss@h/db', notReadable],
      ['a # after digits in the password', 'postgres://u:12#ss@h/db', notReadable],
      ['a port in words', 'postgres://u:p@h:port/db', notReadable],
      ['no server', 'postgres://', noServer],
      ['a database without a server', 'postgres:///db', noServer],
    ] as const
  ).map(([name, DATABASE_URL, message]): (typeof mistakes)[number] => [
    `an address of a database with ${name}`,
    {},
    { DATABASE_URL },
    [`DATABASE_URL ${message}`],
  ]),
  [
    'secrets that can be guessed',
    {},
    { CROUPIER_SECRET: 'x'.repeat(31), CROUPIER_ADMIN_TOKEN: 'x'.repeat(15) },
    [
      'CROUPIER_SECRET must be at least 32 characters long: generate a value with `openssl rand -hex 32`',
      'CROUPIER_ADMIN_TOKEN must be at least 16 characters long: generate a value with `openssl rand -hex 32`',
    ],
  ],
  [
    'placeholders of an example file',
    {},
    { CROUPIER_SECRET: 'replace', CROUPIER_ADMIN_TOKEN: 'replace-this-with-a-long-token' },
    [
      'CROUPIER_SECRET is still a placeholder: generate a value with `openssl rand -hex 32`',
      'CROUPIER_ADMIN_TOKEN is still a placeholder: generate a value with `openssl rand -hex 32`',
    ],
  ],
  [
    'a number in quotes',
    { brands: [{ code: 'x', name: 'X', holdout: { percent: '5' } }] },
    {},
    ['brands[0].holdout.percent must be a number from 0 to 50'],
  ],
  [
    'a site without a scheme, and one with a path',
    {
      brands: [{ code: 'x', name: 'X', site_origins: ['x.example', 'https://x.example/casino', 'https://x.example'] }],
    },
    {},
    [0, 1].map(
      (index) =>
        `brands[0].site_origins[${index}] must be an origin such as https://www.casino.example: scheme, host and port, without a path`,
    ),
  ],
  [
    'an unset variable whose text would also be too short',
    { metrics: { token: '$' + '{T}' } },
    {},
    ['metrics.token requires the environment variable T: set it, or write the value here'],
  ],
  [
    'a variable that is not a number',
    { port: '$' + '{P}', processes: { api: '$' + '{N}' } },
    { P: 'http', N: '2 or 3' },
    ['port must be a whole number from 0 to 65535', 'processes.api must be a whole number from 0 to 64'],
  ],
  [
    'an unset variable',
    { brands: [demo] },
    {},
    ['brands[0].operator.auth.value requires the environment variable OPERATOR_KEY: set it, or write the value here'],
  ],
  ['a missing name', { brands: [{ code: 'x' }] }, {}, ['brands[0].name is missing: add it']],
  [
    'a choice',
    { brands: [{ code: 'x', name: 'X', on_invalid: 'ignore' }] },
    {},
    ['brands[0].on_invalid must be one of reject, accept'],
  ],
  [
    'a zone',
    { brands: [{ code: 'x', name: 'X', time_zone: 'Malta/Europe' }] },
    {},
    ['brands[0].time_zone must be an IANA zone such as Europe/Malta or UTC, not Malta/Europe'],
  ],
  [
    'an unknown scheme',
    { brands: [{ code: 'x', name: 'X', operator: { base_url: 'http://o', auth: { type: 'digest' } } }] },
    {},
    ['brands[0].operator.auth.type must be one of api_key, basic, oauth2'],
  ],
  [
    'a field of another scheme',
    {
      brands: [
        {
          code: 'x',
          name: 'X',
          operator: { base_url: 'http://o', auth: { type: 'basic', username: 'u', value: 'v' } },
        },
      ],
    },
    {},
    [
      'brands[0].operator.auth.value is not a setting: correct its spelling or remove it',
      'brands[0].operator.auth.password is missing: add it',
    ],
  ],
  [
    'several errors of one brand and a repeated key, all reported at once',
    {
      brands: [
        { code: 'x', name: 'X', api_keys: [{ name: 'a', key: 'a key of 16 characters' }] },
        {
          code: 'X Y',
          name: 'Y',
          api_keys: [{ name: 'a', key: 'a key of 16 characters' }],
          time_zone: 'Mars',
          quiet_hours: { from: '22:00' },
          segmentation_traits: { vip: { name: 'deposit_vip' } },
          operator: { base_url: 'crm.example', auth: { type: 'api_key' } },
        },
      ],
    },
    { SANDBOX_PORT: '70000' },
    [
      'SANDBOX_PORT must be at most 65535',
      'brands[1].code must be a code of up to 32 lower-case letters, digits and hyphens, such as mycasino',
      'brands[1].time_zone must be an IANA zone such as Europe/Malta or UTC, not Mars',
      'brands[1].quiet_hours requires both from and to, or neither',
      'brands[1].segmentation_traits.vip.name must not begin with deposit, which is reserved for traits of the platform; choose another name, such as operator_deposit_vip',
      'brands[1].operator.base_url must be an address that starts with http:// or https://',
      'brands[1].operator.auth.value is missing: add it',
      'brands[1].api_keys[0].key is the same key as brands[0].api_keys[0].key; each must be unique',
    ],
  ],
  [
    'one code twice',
    {
      brands: [
        { code: 'x', name: 'X' },
        { code: 'x', name: 'Y' },
      ],
    },
    {},
    ['brands[1].code is the same code as brands[0].code; each must be unique'],
  ],
  [
    'one key for two brands',
    {
      brands: [
        { code: 'x', name: 'X', api_keys: [{ name: 'a', key: 'a key of 16 characters' }] },
        { code: 'y', name: 'Y', api_keys: [{ name: 'a', key: 'a key of 16 characters' }] },
      ],
    },
    {},
    ['brands[1].api_keys[0].key is the same key as brands[0].api_keys[0].key; each must be unique'],
  ],
];

describe('an error contains the path and what to do', () => {
  test.each(mistakes)('%s', (_name, document, environment, expected) => {
    const { errors } = readSettings(document, environment);
    expect(errors.map((error) => `${error.path} ${error.message}`).sort()).toEqual(expected.sort());
  });
});

test('all of 30 errors of one installation are reported', () => {
  const misspelled = (prefix: string) =>
    Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`${prefix}_${index}`, true]));
  const document = { ...misspelled('setting'), brands: [{ code: 'x', name: 'X', ...misspelled('option') }] };
  const { errors } = readSettings(document, {});
  expect(errors.map(({ path }) => path).sort()).toEqual(
    [
      ...Object.keys(misspelled('setting')),
      ...Object.keys(misspelled('option')).map((name) => `brands[0].${name}`),
    ].sort(),
  );
});

describe('what is read', () => {
  test('without any input: the defaults', () => {
    const { settings, brands, errors } = readSettings({}, {});
    expect(errors).toEqual([]);
    expect(brands).toEqual([]);
    expect(settings).toMatchObject({
      port: 8080,
      data_dir: './data',
      log_level: 'info',
      processes: { api: 1, worker: 1, worker_nice: 10 },
      ingest: { max_body_bytes: 1_048_576 },
    });
  });

  test('the environment overrides the file', () => {
    const { settings } = readSettings({ port: 1000, log_level: 'debug' }, { PORT: '2000', LOG_LEVEL: '' });
    expect(settings).toMatchObject({ port: 2000, log_level: 'debug' });
  });

  test('a brand with its defaults, and values from the environment', () => {
    const { brands, errors } = readSettings({ brands: [demo] }, { OPERATOR_KEY: 'with: "quotes" #and colons' });
    expect(errors).toEqual([]);
    expect(brands[0]).toMatchObject({
      code: 'demo',
      settings: { base_currency: 'EUR', zoneless_timestamps: 'UTC', on_invalid: 'reject', session_gap_minutes: 30 },
      operator: {
        base_url: 'http://localhost:8090/operator',
        bonus_500: 'unknown',
        auth: { type: 'api_key', value: 'with: "quotes" #and colons' },
      },
      test_user: null,
      site_jwt: null,
      email: null,
    });
  });

  test('a placeholder that is the whole value becomes a number or a boolean if the setting is one', () => {
    const placeholder = (name: string) => `\${${name}}`;
    const { settings, brands, errors } = readSettings(
      {
        port: placeholder('P'),
        data_dir: placeholder('P'),
        brands: [
          {
            code: 'x',
            name: placeholder('P'),
            holdout: { percent: placeholder('HALF') },
            push: { ends_with_logout_event: placeholder('OFF') },
          },
        ],
      },
      { P: '8081', HALF: '0.5', OFF: 'false' },
    );
    expect(errors).toEqual([]);
    expect(settings).toMatchObject({ port: 8081, data_dir: '8081' });
    expect(brands[0]).toMatchObject({
      name: '8081',
      settings: { holdout: { percent: 0.5 }, push: { ends_with_logout_event: false } },
    });
  });

  test.each([
    'postgres://u:p@h:5432/db',
    'postgres://u:p%23ss@h/db?sslmode=require',
    'postgresql:///db?host=/var/run/postgresql',
    'postgres://u@/db?host=/var/run/postgresql',
    'postgres://%2Fvar%2Frun%2Fpostgresql/db',
  ])('the address of a database: %s', (DATABASE_URL) => {
    expect(readSettings({}, { DATABASE_URL }).errors).toEqual([]);
  });

  test('a doubled dollar sign keeps the placeholder as it is', () => {
    const { brands } = readSettings({ brands: [{ code: 'x', name: '$$' + '{NAME}' }] }, {});
    expect(brands[0]?.name).toBe('$' + '{NAME}');
  });
});

describe('files', () => {
  const secrets = { CROUPIER_SECRET: 's'.repeat(32), CROUPIER_ADMIN_TOKEN: 't'.repeat(16) };

  test('a start warns if machines that share a database would generate different secrets', async () => {
    const file = path.join(folder, 'shared.yaml');
    await writeFile(file, 'brands: []\n');
    const shared = { CROUPIER_CONFIG: file, DATABASE_URL: 'postgres://h/db', DATA_DIR: path.join(folder, 'shared') };
    expect((await loadConfig(shared)).warnings).toEqual([
      expect.stringMatching(/^CROUPIER_SECRET is not set, so each machine generates its own in DATA_DIR; /),
    ]);
    for (const enough of [secrets, { DATABASE_URL: '' }, { CROUPIER_CONFIG: '' }])
      expect((await loadConfig({ ...shared, ...enough })).warnings).toEqual([]);
  });

  test('the file is read, and secrets are generated once and readable only for their owner', async () => {
    const file = path.join(folder, 'croupier.yaml');
    await writeFile(file, 'port: 9000\nbrands:\n  - code: demo\n    name: Demo\n    operator:\n');
    const environment = { CROUPIER_CONFIG: file, DATA_DIR: path.join(folder, 'data') };
    const first = await loadConfig(environment);
    expect(first).toMatchObject({ port: 9000, file, public_url: 'http://localhost:9000', brands: [{ code: 'demo' }] });
    expect(first.secret).not.toBe(first.admin_token);
    expect(first.secret.length).toBeGreaterThan(40);
    expect(await loadConfig(environment)).toEqual(first);
    expect((await stat(path.join(folder, 'data', 'secret'))).mode & 0o777).toBe(0o600);
    expect((await stat(path.join(folder, 'data'))).mode & 0o777).toBe(0o700);
  });

  test('previous secrets are separated by spaces', async () => {
    const given = { DATA_DIR: path.join(folder, 'none'), ...secrets };
    expect((await loadConfig(given)).previous_secrets).toEqual([]);
    const config = await loadConfig({ ...given, CROUPIER_PREVIOUS_SECRETS: ' one  two ' });
    expect(config.previous_secrets).toEqual(['one', 'two']);
  });

  test('given secrets are not written anywhere', async () => {
    const dataDir = path.join(folder, 'none');
    const config = await loadConfig({ DATA_DIR: dataDir, ...secrets });
    expect([config.secret, config.admin_token]).toEqual(Object.values(secrets));
    await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  });

  test('concurrent starts agree on one secret', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => keepSecret(path.join(folder, 'race'), 'secret')));
    expect(new Set(made).size).toBe(1);
    expect((await readFile(path.join(folder, 'race', 'secret'), 'utf8')).trim()).toBe(made[0]);
  });

  test.each([
    ['a file that is not there', undefined, /^The file \S+ in CROUPIER_CONFIG does not exist\. Correct the path\.$/],
    [
      'a folder',
      null,
      /^The file \S+ in CROUPIER_CONFIG is a folder\. Set CROUPIER_CONFIG to the path of a YAML file\.$/,
    ],
    [
      'broken YAML',
      'port: 1\nbrands: [',
      /is not valid:\n {2}line 2: Flow sequence in block collection must be .* a \]$/,
    ],
    ['a list', '- a', /is not valid:\n {2}the file must be a mapping/],
  ])('%s is refused', async (_name, text, expected) => {
    const file = path.join(folder, 'broken.yaml');
    await rm(file, { force: true, recursive: true });
    if (text === null) await mkdir(file);
    else if (text !== undefined) await writeFile(file, text);
    const error = await loadConfig({ CROUPIER_CONFIG: file }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toMatch(expected);
  });
});
