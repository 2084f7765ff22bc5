/**
 * The rules that a field of an event can violate, by the name in `errors[].rule`. docs/errors.md lists the same names
 * (a test compares them). A name never changes, because operators' programs depend on it.
 */
export const ruleMeanings = {
  json: 'The body is not valid JSON.',
  json_depth: 'The body nests deeper than 64 levels.',
  json_members: 'The objects and arrays of the body have more than 150,000 members in total.',
  object: 'The value must be a JSON object.',
  array: 'The value must be an array.',
  required: 'The field is required. It is missing or null, or it is blank and must not be.',
  id: 'An identifier must be a string of at most 255 characters without NUL. A whole number is read as its text.',
  text: 'The value must be a string that is not longer than the field allows.',
  one_of: 'The value must be one of a fixed set. Letter case is ignored.',
  code: 'A currency code must be a short string, such as EUR.',
  boolean: 'The value must be true or false.',
  whole_number: 'The value must be a whole number of 0 or more.',
  decimal:
    'The value must be a decimal, as a number or a string. NaN, Infinity and thousands separators are not allowed.',
  not_negative: 'An amount must be 0 or more. The type of the event determines the direction.',
  positive_decimal: 'A rate must be greater than 0.',
  decimal_digits: 'A decimal must have at most 18 digits before the decimal point and 30 after it.',
  timestamp:
    'The value must be an RFC 3339 date-time with up to 9 fraction digits, or YYYY-MM-DD HH:MM:SS in the time zone configured for the brand.',
  not_before_2000: 'The time of an event must not be before 2000-01-01.',
  unknown_field: 'The field is unknown, and its name resembles that of a known field. The field was ignored.',
  not_ahead: "The timestamp must be at most 24 hours ahead of the platform's clock.",
} as const;

export type Rule = keyof typeof ruleMeanings;
