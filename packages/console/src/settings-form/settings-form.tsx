import { Stack } from '@mantine/core';
import type { FieldSpec, FieldWords, ValueWords } from './field.ts';
import { SettingInput } from './setting-input.tsx';
import { type Values, valueAt, withValue } from './values.ts';

export interface SettingsFormProps {
  fields: readonly FieldSpec[];
  words: FieldWords;
  valueWords?: ValueWords;
  values: Values;
  /** The platform's errors, by path. */
  errors: readonly { path: string; message: string }[];
  readOnly: boolean;
  /** True if secrets are stored. An empty field does not change its secret. */
  hasSecrets?: boolean;
  onChange(values: Values): void;
}

/** A list of settings. Each error is shown at its field. */
export function SettingsForm({
  fields,
  words,
  valueWords = {},
  values,
  errors,
  readOnly,
  hasSecrets = false,
  onChange,
}: SettingsFormProps) {
  const shown = fields.filter((field) => isShown(field, values));
  return (
    <Stack gap="md">
      {shown.map((spec) => (
        <SettingInput
          key={spec.path}
          spec={spec}
          words={words}
          valueWords={valueWords}
          value={valueAt(values, spec.path)}
          error={errorAt(errors, spec.path)}
          readOnly={readOnly}
          hasSecrets={hasSecrets}
          onChange={(to) => onChange(withValue(values, spec.path, to))}
        />
      ))}
    </Stack>
  );
}

/** Returns whether a setting is shown for these values. */
export function isShown({ when }: FieldSpec, values: Values): boolean {
  return when === undefined || valueAt(values, when.path) === when.is;
}

/** Returns the error at a setting. An error of an entry is shown at its list and names the entry. */
export function errorAt(errors: SettingsFormProps['errors'], path: string): string | undefined {
  const found = errors.find(
    (one) => one.path === path || one.path.startsWith(`${path}.`) || one.path.startsWith(`${path}[`),
  );
  if (found === undefined || found.path === path) return found?.message;
  return `${found.path.slice(path.length).replace(/^\./, '')}: ${found.message}`;
}

/** Returns the errors of fields that the form does not contain. They are shown above the form. */
export function otherErrors(
  errors: SettingsFormProps['errors'],
  fields: readonly FieldSpec[],
): SettingsFormProps['errors'] {
  return errors.filter((error) => !fields.some(({ path }) => errorAt([error], path) !== undefined));
}
