import type { TSchema } from 'typebox';

/**
 * Converts the parameters of a path or a query, which are text, to the types of their schema. Each value has one spelling:
 * digits for an integer, `true` and `false` for a boolean. Everything else stays text, which the schema then refuses. TypeBox's
 * own `Convert` is not used, because it reads `true`, `0x1`, `+1` and `1e0` as 1: `accounts/true/disable` disabled account 1.
 */
export function readParameters(schema: TSchema, given: unknown): unknown {
  if (!('properties' in schema) || typeof given !== 'object' || given === null) return given;
  const properties = schema.properties as Record<string, TSchema>;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const wanted = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, wanted === undefined ? value : readParameter(wanted, value)];
    }),
  );
}

function readParameter(wanted: TSchema, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  switch ('type' in wanted ? wanted.type : undefined) {
    case 'integer':
    case 'number':
      return readInteger(value) ?? value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    default:
      return value;
  }
}

/** No sign except a minus, no leading zeros, and no number that JavaScript would round. */
function readInteger(text: string): number | undefined {
  if (!/^(0|-?[1-9]\d{0,15})$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : undefined;
}
