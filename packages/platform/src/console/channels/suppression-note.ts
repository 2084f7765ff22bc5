import { Type } from 'typebox';

/** Why an address or number is suppressed, or no longer suppressed. */
export const Note = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 300,
    pattern: '\\S',
    description: 'The reason, for the staff audit. Do not write personal data into it: the audit keeps it',
  }),
);

/** The details of an entry of the audit. */
export const noted = (note: string | undefined): { details?: { reason: string } } =>
  note === undefined ? {} : { details: { reason: note } };
