import type { SettingError } from '../brands/index.ts';

/** The configuration is not valid. The message lists all errors. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly errors: readonly SettingError[];
  constructor(file: string | undefined, errors: readonly SettingError[]) {
    super(
      [
        `the configuration${file ? ` in ${file}` : ''} is not valid:`,
        ...errors.map((e) => `  ${e.path} ${e.message}`),
      ].join('\n'),
    );
    this.errors = errors;
  }
}

/** The configuration file cannot be read at all. */
export class ConfigUnreadable extends ConfigError {
  constructor(file: string, reason: string) {
    super(file, []);
    this.message = `The file ${file} in CROUPIER_CONFIG ${reason}.`;
  }
}
