/** A form for settings. Fields are data, texts are in both languages, and errors appear at their fields. */
export type { FieldSpec, FieldWords, ValueWords } from './field.ts';
export { problemsOf, useFocusOnError } from './problems.ts';
export { errorAt, isShown, otherErrors, SettingsForm } from './settings-form.tsx';
export { areSameValues, changedValues, type Values, valueAt, withValue } from './values.ts';
