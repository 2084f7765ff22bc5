/**
 * The rules that a field of an event can violate, by the name in `errors[].rule`. docs/errors.md lists the same (a test
 * compares them). A name never changes, because operators' programs depend on it.
 */
export const ruleMeanings = {
  json: 'The body is not valid JSON.',
  json_depth: 'The body nests deeper than 64 levels.',
  json_members: 'The objects and lists of the body have more than 150,000 members together.',
  object: 'A JSON object is expected.',
  array: 'An array is expected.',
  required: 'The field is missing, null, or blank where it must not be.',
  id: 'An identifier is a text of at most 255 characters, without NUL; a whole number is taken as its text.',
  text: 'A text is expected, not longer than the field takes.',
  one_of: 'The field takes one of a fixed set of values; letter case does not matter.',
  code: 'A currency code is a short text, such as EUR.',
  boolean: 'true or false is expected.',
  whole_number: 'A whole number of 0 or more is expected.',
  decimal: 'A decimal number is expected, as a number or as text; no NaN, no Infinity, no thousands separators.',
  not_negative: 'An amount is 0 or more; the type of the event tells its direction.',
  positive_decimal: 'A rate is greater than 0.',
  decimal_digits: 'A decimal has at most 18 digits before and 30 after the point.',
  timestamp:
    'RFC 3339 with up to 9 fraction digits is expected, or YYYY-MM-DD HH:MM:SS in the zone that the brand has set.',
  not_before_2000: 'An event did not take place before 2000-01-01.',
  unknown_field: 'The field is not known and looks like a known one; it was not read.',
  not_ahead: 'The timestamp is more than 24 hours ahead of the clock of the platform.',
} as const;

export type Rule = keyof typeof ruleMeanings;
