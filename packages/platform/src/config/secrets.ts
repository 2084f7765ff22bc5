import type { SettingError } from '../brands/index.ts';

type Environment = Record<string, string | undefined>;

/** Minimum lengths. Generated values have 43 characters. */
const leastLength = { CROUPIER_SECRET: 32, CROUPIER_ADMIN_TOKEN: 16 } as const;

/** Errors in the secrets of the environment: a placeholder of an example file, or a value that can be guessed. */
export function secretErrors(environment: Environment): SettingError[] {
  return Object.entries(leastLength).flatMap(([path, least]) => {
    const value = environment[path];
    if (!value) return [];
    if (/^replace/i.test(value))
      return [{ path, message: 'is still a placeholder: generate a value with `openssl rand -hex 32`' }];
    if (value.length < least)
      return [
        { path, message: `must be at least ${least} characters long: generate a value with \`openssl rand -hex 32\`` },
      ];
    return [];
  });
}

/** A warning if machines that share a database would each generate a secret. */
export function secretWarnings(environment: Environment, config: { file?: unknown; database_url?: unknown }): string[] {
  if (environment.CROUPIER_SECRET || !config.file || !config.database_url) return [];
  return [
    'CROUPIER_SECRET is not set, so each machine generates its own in DATA_DIR; if several machines use this database, set the same value on all of them, or they cannot read credentials and links of each other',
  ];
}
