import { ColorInput, Input, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { settingsForm } from '../text/settings-form.ts';
import { useWords } from '../text/text.tsx';
import type { FieldSpec, FieldWords, ValueWords } from './field.ts';
import { CountryZonesInput } from './inputs/country-zones-input.tsx';
import { LinesInput } from './inputs/lines-input.tsx';
import { ObjectInput } from './inputs/object-input.tsx';
import { RowsInput } from './inputs/rows-input.tsx';
import { SecretInput } from './inputs/secret-input.tsx';
import { zonesWith } from './inputs/zones.ts';

export interface SettingInputProps {
  spec: FieldSpec;
  words: FieldWords;
  valueWords: ValueWords;
  value: unknown;
  error: string | undefined;
  readOnly: boolean;
  /** True if a secret is stored. It does not change if the field is left empty. */
  hasSecrets?: boolean;
  onChange(value: unknown): void;
}

/** The input of one setting, by its kind. */
export function SettingInput({
  spec,
  words,
  valueWords,
  value,
  error,
  readOnly,
  hasSecrets = false,
  onChange,
}: SettingInputProps) {
  const form = useWords(settingsForm);
  const [label, description] = words[spec.path] ?? [spec.path];
  const isFixed = readOnly || spec.fixed === true;
  const common = { label, description, error, readOnly: isFixed, required: spec.required ?? false };
  const text = typeof value === 'string' ? value : '';
  const onText = ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value);
  switch (spec.kind) {
    case 'text':
      return <TextInput {...common} value={text} onChange={onText} />;
    case 'time':
      return <TextInput {...common} type="time" value={text} onChange={onText} />;
    case 'color':
      // Mantine's eye dropper button has no label for screen readers.
      return (
        <ColorInput
          {...common}
          format="hex"
          value={text}
          onChange={onChange}
          closeOnColorSwatchClick
          withEyeDropper={false}
        />
      );
    case 'secret':
      // The stored value is never shown. An empty field keeps it.
      return <SecretInput {...common} placeholder={hasSecrets ? form.stays : ''} value={text} onChange={onChange} />;
    case 'area':
      return <Textarea {...common} autosize minRows={3} maxRows={12} value={text} onChange={onText} />;
    case 'number': {
      const { min, max } = spec;
      return (
        <NumberInput
          {...common}
          className="short-input"
          // Without this, the field would silently replace a number that is too large. The platform refuses it with an error at the field.
          clampBehavior="none"
          {...(min !== undefined && { min })}
          {...(max !== undefined && { max })}
          value={typeof value === 'number' ? value : ''}
          onChange={(to) => onChange(to === '' ? undefined : Number(to))}
        />
      );
    }
    case 'switch':
      return (
        <Switch
          label={label}
          description={description}
          error={error}
          disabled={isFixed}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          className="short-input"
          allowDeselect={spec.required !== true}
          clearable={spec.required !== true && !isFixed}
          data={(spec.values ?? []).map((one) => ({ value: one, label: valueWords[one] ?? one }))}
          value={text === '' ? null : text}
          onChange={(to) => onChange(to ?? undefined)}
        />
      );
    case 'zone':
      return (
        <Select
          {...common}
          className="short-input"
          searchable
          allowDeselect={false}
          data={zonesWith(text)}
          value={text}
          onChange={(to) => to !== null && onChange(to)}
        />
      );
    case 'lines':
      return <LinesInput {...common} value={value} onChange={onChange} />;
    case 'json':
      return <ObjectInput {...common} value={value} onChange={onChange} />;
    case 'zones':
      return (
        <Input.Wrapper {...common} labelElement="div">
          <CountryZonesInput value={value} readOnly={isFixed} onChange={onChange} />
        </Input.Wrapper>
      );
    case 'rows':
      return (
        <Input.Wrapper {...common} labelElement="div">
          <RowsInput
            columns={spec.columns ?? []}
            value={value}
            readOnly={isFixed}
            onChange={onChange}
            inputOf={(column, of, write) => (
              <SettingInput
                spec={column}
                words={words}
                valueWords={valueWords}
                value={of}
                error={undefined}
                readOnly={isFixed}
                onChange={write}
              />
            )}
          />
        </Input.Wrapper>
      );
  }
}
