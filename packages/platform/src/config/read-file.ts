import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
import { ConfigError, ConfigUnreadable } from './config-error.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist. Correct the path',
  ENOTDIR: 'does not exist. Correct the path',
  EISDIR: 'is a folder. Set CROUPIER_CONFIG to the path of a YAML file',
  EACCES: 'may not be read by this user. Allow the user to read the file and to enter its folders',
};

/**
 * Reads the mapping of a YAML file.
 *
 * @throws {ConfigError} if the file cannot be read, or is not YAML
 */
export async function readYaml(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(({ code = '' }: NodeJS.ErrnoException) => {
    throw new ConfigUnreadable(file, reasons[code] ?? `cannot be read (${code})`);
  });
  const lineCounter = new LineCounter();
  // A pretty error repeats its position and shows a piece of the file, which may contain a secret.
  const document = parseDocument(text, { prettyErrors: false, lineCounter });
  if (document.errors.length > 0) {
    throw new ConfigError(
      file,
      document.errors.map(({ pos, message }) => ({ path: `line ${lineCounter.linePos(pos[0]).line}:`, message })),
    );
  }
  const value = document.toJS() ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new ConfigError(file, [{ path: 'the file', message: 'must be a mapping such as `brands: [...]`' }]);
  }
  return value;
}
