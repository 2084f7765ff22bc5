/** A form for settings: fields as data, in both languages, with errors at their fields. */
export type { FieldSpec, FieldWords, ValueWords } from './field.ts';
export { otherErrors, SettingsForm } from './settings-form.tsx';
export { changedValues, type Values, valueAt, withValue } from './values.ts';
