/** A form for settings: fields as data, in the two languages, with what is wrong at its place. */
export type { FieldSpec, FieldWords, ValueWords } from './field.ts';
export { otherErrors, SettingsForm } from './settings-form.tsx';
export { changedValues, type Values, valueAt, withValue } from './values.ts';
