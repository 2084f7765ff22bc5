import type { SettingError } from '../brands/index.ts';

type Environment = Record<string, string | undefined>;

/**
 * Replaces `${NAME}` with the environment's value in every text of a parsed document; `$${` is a literal `${`. It works
 * on the parsed document instead of its text, so a password with a colon or a quote breaks nothing.
 *
 * All values stay text. `whole` has the paths of values that are one placeholder, which placeholders.ts converts. An unset name
 * is an error.
 */
export function substitute(
  value: unknown,
  environment: Environment,
  path = '',
): { value: unknown; whole: Set<string>; errors: SettingError[] } {
  const whole = new Set<string>();
  const errors: SettingError[] = [];
  const walk = (node: unknown, at: string): unknown => {
    if (typeof node === 'string') return replace(node, at);
    if (Array.isArray(node)) return node.map((item, index) => walk(item, `${at}[${index}]`));
    if (node !== null && typeof node === 'object') {
      return Object.fromEntries(
        Object.entries(node)
          // `operator:` without a value counts as absent.
          .filter(([, item]) => item !== null)
          .map(([name, item]) => [name, walk(item, at === '' ? name : `${at}.${name}`)]),
      );
    }
    return node;
  };
  const replace = (text: string, at: string) => {
    if (/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(text)) whole.add(at);
    return text.replaceAll(/\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (match, name: string | undefined) => {
      if (name === undefined) return '${';
      const found = environment[name];
      if (found === undefined || found === '') {
        errors.push({
          path: at,
          message: `requires the environment variable ${name}: set it, or write the value here`,
        });
        return match;
      }
      return found;
    });
  };
  return { value: walk(value, path), whole, errors };
}
