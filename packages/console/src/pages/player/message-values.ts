/** A value that the template takes from the cause of the message, such as `event.prize`, as typed. */
export interface MessageValue {
  name: string;
  /** Whether a text inserts it without a default, so that the message would have a gap. */
  isNeeded: boolean;
  typed: string;
}

/** Croupier knows the values of all other variables. */
const ofCause = /^(?:event|campaign|offer)[.[]/;
const partsOf = (name: string) => name.match(/[^.[\]"']+/g) ?? [];

/**
 * Returns the values that the sender of a template types, all empty. Pure.
 *
 * @param variables used by the template
 * @param needed variables that it inserts without a default
 */
export function valuesOf({ variables, needed }: { variables: readonly string[]; needed: readonly string[] }) {
  const names = variables.filter((name) => ofCause.test(name));
  // A template that inserts `event.prize.name` also uses `event.prize`, for example in a condition. Only the inner one is a value.
  const isOuter = (name: string) =>
    names.some((other) => other.startsWith(name) && /^[.[]/.test(other.slice(name.length)));
  return names
    .filter((name) => !isOuter(name))
    .map((name): MessageValue => ({ name, isNeeded: needed.includes(name), typed: '' }));
}

export const isFilled = ({ isNeeded, typed }: MessageValue): boolean => !isNeeded || typed.trim() !== '';

interface Nested {
  [part: string]: Nested | Value;
}

/** A text, or a list for a template that loops over it. */
type Value = string | readonly unknown[];

/**
 * Returns the values as the nested objects that the API takes. Empty ones are omitted, so the template uses its defaults. A JSON list
 * becomes a list. This is safe for every value, because a template that only inserts a list shows it as JSON. Pure.
 */
export function bodyOfValues(values: readonly MessageValue[]): Nested {
  return values
    .filter(({ typed }) => typed.trim() !== '')
    .reduce((body, { name, typed }) => withValue(body, partsOf(name), valueOfText(typed.trim())), {} as Nested);
}

/** Returns a JSON list as a list, and every other text as it is. Pure. */
export function valueOfText(text: string): Value {
  if (!text.startsWith('[')) return text;
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    return text;
  }
}

function withValue(object: Nested, [first = '', ...rest]: readonly string[], value: Value): Nested {
  const inner = object[first];
  return {
    ...object,
    [first]: rest.length === 0 ? value : withValue(isNested(inner) ? inner : {}, rest, value),
  };
}

const isNested = (value: Nested | Value | undefined): value is Nested =>
  typeof value === 'object' && !Array.isArray(value);
