import type { Command, Option } from 'commander';

/**
 * Checks the values of a command's options, from the command line and from environment variables. It collects all errors, so that a
 * person can correct them together.
 */
export class OptionValues {
  readonly #errors: string[] = [];

  /** The option takes a number of 0 or more. */
  number(option: Option): Option {
    return this.#check(option, Number, (value) => value >= 0 && Number.isFinite(value), 'a number of 0 or more');
  }

  /** The option takes a whole number from 0 to `most`. */
  count(option: Option, most = 1_000_000_000): Option {
    const isValid = (value: number) => Number.isInteger(value) && value >= 0 && value <= most;
    return this.#check(option, Number, isValid, `a whole number from 0 to ${most}`);
  }

  /** The option takes a URL. It may be empty if its default is. */
  address(option: Option): Option {
    const isValid = (text: string) => text === option.defaultValue || (/^https?:\/\//.test(text) && URL.canParse(text));
    return this.#check(option, String, isValid, 'an address such as http://127.0.0.1:8080');
  }

  /** Call it after `parse`. If there are errors, it prints all of them and exits with 1. */
  exitOnErrors(command: Command): void {
    if (this.#errors.length > 0) command.error(this.#errors.map((error) => `error: ${error}`).join('\n'));
  }

  #check<T>(option: Option, read: (text: string) => T, isValid: (value: T) => boolean, what: string): Option {
    const name = [option.long, option.envVar].filter(Boolean).join(' or ');
    return option.argParser((text: string) => {
      const value = read(text);
      if (text.trim() === '' ? option.defaultValue !== '' : !isValid(value))
        this.#errors.push(`${name} must be ${what}, not ${text.trim() || 'empty'}`);
      return value;
    });
  }
}
