import type { TSchema } from 'typebox';

/**
 * Converts values of the environment to numbers, `true` and `false` where the schema requires them. Only values that are
 * one placeholder as a whole are converted (`port: ${PORT}`), because a number in quotes in the file is a mistake. A value that
 * cannot be converted stays text, which the schema then refuses.
 *
 * @param places the paths of these values, such as `brands[0].holdout.percent`
 */
export function convertPlaceholders(schema: unknown, value: unknown, places: ReadonlySet<string>, at = ''): unknown {
  const { type, properties, items } = (schema ?? {}) as TSchema & Shape;
  if (typeof value === 'string') return places.has(at) ? converted(value, type) : value;
  if (Array.isArray(value))
    return value.map((item, index) => convertPlaceholders(items, item, places, `${at}[${index}]`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const inner = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, convertPlaceholders(inner, item, places, at === '' ? name : `${at}.${name}`)];
    }),
  );
}

interface Shape {
  type?: unknown;
  properties?: Record<string, unknown>;
  items?: unknown;
}

function converted(text: string, type: unknown): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = (type === 'integer' || type === 'number') && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text);
  return isNumber ? Number(text) : text;
}
