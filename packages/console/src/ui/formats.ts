/*
 * Formats of the browser, each made once. A format takes 0.1 to 1 ms to make, and the page of a player writes several hundred moments
 * and amounts: making a format for each of them was a quarter of the time until the page was painted.
 */

const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();
const regions = new Map<string, Intl.DisplayNames>();
let zone: string | undefined;

/** Returns the format of `new Intl.DateTimeFormat(region, options)`. */
export const dateFormat = (region: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  madeOnce(dates, region, options, () => new Intl.DateTimeFormat(region, options));

/** Returns the format of `new Intl.NumberFormat(language, options)`. */
export const numberFormat = (language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  madeOnce(numbers, language, options, () => new Intl.NumberFormat(language, options));

/** Returns the names of countries in a language. A code without a name has the name `undefined`. */
export function regionNames(language: string): Intl.DisplayNames {
  const options: Intl.DisplayNamesOptions = { type: 'region', fallback: 'none' };
  return madeOnce(regions, language, options, () => new Intl.DisplayNames(language, options));
}

/** Returns the time zone of this browser, such as `Europe/Malta`. */
export function timeZone(): string {
  zone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone;
}

function madeOnce<Format>(made: Map<string, Format>, locale: string, options: object, make: () => Format): Format {
  const key = `${locale} ${JSON.stringify(options)}`;
  const former = made.get(key);
  if (former !== undefined) return former;
  const format = make();
  made.set(key, format);
  return format;
}
