import path from 'node:path';
import { type BrandDeclaration, declaredFields, explain, readDeclaration, type SettingError } from '../brands/index.ts';
import { keepSecret } from '../kept-secret.ts';
import type { LogLevel } from '../log.ts';
import { Compile, Value } from '../schema-check.ts';
import { ConfigError } from './config-error.ts';
import { convertPlaceholders } from './placeholders.ts';
import { readYaml } from './read-file.ts';
import { secretErrors, secretWarnings } from './secrets.ts';
import { type FileSettings, fileSchema } from './settings.ts';
import { substitute } from './substitute.ts';

/** All settings of a process, checked and with defaults. Contains secrets: never log the whole object. */
export interface Config {
  port: number;
  /** Undefined: all addresses of the machine. */
  host: string | undefined;
  public_url: string;
  /** Addresses and CIDR blocks in the format of Fastify's `trustProxy`. Empty: no proxy is trusted. */
  trusted_proxies: string[];
  /** An absolute path. */
  data_dir: string;
  /** Undefined: the embedded server. */
  database_url: string | undefined;
  log_level: LogLevel;
  processes: FileSettings['processes'];
  metrics: FileSettings['metrics'];
  database: FileSettings['database'];
  ingest: FileSettings['ingest'];
  sockets: FileSettings['sockets'];
  /** Undefined: people sign in to the console with passwords only. */
  single_sign_on: FileSettings['single_sign_on'];
  brands: BrandDeclaration[];
  /** The port of the sandbox casino. Undefined: 8090, or any free port if that is in use. */
  sandbox_port: number | undefined;
  /** The configuration file. Undefined: none was given, and the demo brand is created. */
  file: string | undefined;
  /** CROUPIER_SECRET: signs tokens, and encrypts the operators' credentials. */
  secret: string;
  /**
   * CROUPIER_PREVIOUS_SECRETS, the newest first. They are not used for new signatures, but data that they signed or
   * encrypted is still valid.
   */
  previous_secrets: string[];
  /** CROUPIER_ADMIN_TOKEN: full access to the console API for automation. */
  admin_token: string;
  /** Sentences for the log of the process that starts the installation. */
  warnings: string[];
}

export type Environment = Record<string, string | undefined>;

/** Names of environment variables and the settings that they override. */
const environmentNames = {
  PORT: 'port',
  HOST: 'host',
  PUBLIC_URL: 'public_url',
  DATA_DIR: 'data_dir',
  DATABASE_URL: 'database_url',
  LOG_LEVEL: 'log_level',
  SANDBOX_PORT: 'sandbox_port',
} as const satisfies Record<string, keyof FileSettings>;

const validator = Compile(fileSchema);
/** The file with the fields of its brands, to find the types of settings. */
const wholeSchema = { properties: { ...fileSchema.properties, brands: { items: { properties: declaredFields } } } };

/**
 * Reads the configuration file (if CROUPIER_CONFIG is set), applies the environment, and checks everything.
 * CROUPIER_SECRET and the admin token are generated into `data_dir` if they are not given.
 *
 * @throws {ConfigError} that lists all errors, each with its path and what to do
 */
export async function loadConfig(environment: Environment): Promise<Config> {
  const file = environment.CROUPIER_CONFIG || undefined;
  const { settings, brands, errors } = readSettings(file ? await readYaml(file) : {}, environment);
  if (errors.length > 0) throw new ConfigError(file, errors);
  const dataDir = path.resolve(settings.data_dir);
  return {
    ...settings,
    host: settings.host,
    database_url: settings.database_url,
    sandbox_port: settings.sandbox_port,
    single_sign_on: settings.single_sign_on,
    public_url: (settings.public_url ?? `http://localhost:${settings.port}`).replace(/\/+$/, ''),
    data_dir: dataDir,
    log_level: settings.log_level as LogLevel,
    brands,
    file,
    secret: environment.CROUPIER_SECRET || (await keepSecret(dataDir, 'secret')),
    previous_secrets: (environment.CROUPIER_PREVIOUS_SECRETS ?? '').split(/\s+/).filter(Boolean),
    admin_token: environment.CROUPIER_ADMIN_TOKEN || (await keepSecret(dataDir, 'admin-token')),
    warnings: secretWarnings(environment, { file, database_url: settings.database_url }),
  };
}

/** Makes settings from the document of the file and the environment. Pure. */
export function readSettings(
  document: unknown,
  environment: Environment,
): { settings: FileSettings; brands: BrandDeclaration[]; errors: SettingError[] } {
  const { value, whole, errors: unset } = substitute(document ?? {}, environment);
  const converted = convertPlaceholders(wholeSchema, value, whole) as Record<string, unknown>;
  const errors = secretErrors(environment);
  const merged = { ...converted, ...fromEnvironment(environment) };
  const settings = Value.Default(fileSchema, merged) as FileSettings;
  if (!validator.Check(settings)) errors.push(...explain(fileSchema, settings, '').map(nameVariable(environment)));
  const brands: BrandDeclaration[] = [];
  for (const [index, entry] of (Array.isArray(settings.brands) ? settings.brands : []).entries()) {
    const reading = readDeclaration(entry, `brands[${index}]`);
    if (reading.ok) brands.push(reading.declaration);
    else errors.push(...reading.errors);
  }
  errors.push(...repeated(Array.isArray(settings.brands) ? settings.brands : []));
  // The text of a placeholder without a value is often wrong for its setting, too.
  const others = errors.filter(({ path }) => !unset.some((one) => one.path === path));
  return { settings, brands, errors: [...unset, ...others] };
}

function fromEnvironment(environment: Environment): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(environmentNames)) {
    const text = environment[name];
    if (text === undefined || text === '') continue;
    found[setting] = (setting === 'port' || setting === 'sandbox_port') && /^\d+$/.test(text) ? Number(text) : text;
  }
  return found;
}

/** Settings from the environment are reported under the name of their variable, which a person would look for. */
function nameVariable(environment: Environment): (error: SettingError) => SettingError {
  return (error) => {
    const variable = Object.entries(environmentNames).find(([, setting]) => setting === error.path)?.[0];
    return variable && environment[variable] ? { ...error, path: variable } : error;
  };
}

/** Reports repeated codes and keys. Otherwise, they would silently belong to the last entry. */
function repeated(entries: readonly unknown[]): SettingError[] {
  const errors: SettingError[] = [];
  const seen = new Map<string, string>();
  const claim = (what: string, at: string, message: string) => {
    const first = seen.get(what);
    if (first !== undefined) errors.push({ path: at, message: `${message} ${first}; each must be unique` });
    else seen.set(what, at);
  };
  // Uses the raw entries, so that a brand with another error is checked, too.
  for (const [index, entry] of entries.entries()) {
    const { code, api_keys } = (entry ?? {}) as { code?: unknown; api_keys?: unknown };
    if (typeof code === 'string') claim(`code ${code}`, `brands[${index}].code`, 'is the same code as');
    for (const [place, item] of (Array.isArray(api_keys) ? api_keys : []).entries()) {
      const { key, name } = (item ?? {}) as { key?: unknown; name?: unknown };
      if (typeof key === 'string') claim(`key ${key}`, `brands[${index}].api_keys[${place}].key`, 'is the same key as');
      if (typeof name === 'string')
        claim(`name ${index} ${name}`, `brands[${index}].api_keys[${place}].name`, 'is the same name as');
    }
  }
  return errors;
}
