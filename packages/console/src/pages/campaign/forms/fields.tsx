import { Autocomplete, Group, Input, NumberInput, Select, TextInput } from '@mantine/core';
import type { NamedList, SentOn } from '../../../api/named.ts';
import { DurationInput } from '../../../rule-builder/index.ts';
import { NamedSelect } from '../../../ui/named/named-select.tsx';
import { withOwn } from '../draft/catalogs.ts';
import { useField } from '../draft/editing.ts';
import type { Place } from '../draft/edits.ts';

/* Inputs, each for one field of the document. An empty input removes its field, unless the field is required. */
interface FieldProps {
  place: Place;
  label: string;
  description?: string;
  isRequired?: boolean;
}

const textOf = (value: unknown) => (value === undefined || value === null ? '' : String(value));

/** @param type of the input, such as `time`; the browser then returns the text in the format of the document */
export function TextField({ place, label, description, isRequired, type }: FieldProps & { type?: string }) {
  const { value, set, error, disabled } = useField(place);
  return (
    <TextInput
      label={label}
      description={description}
      type={type}
      value={textOf(value)}
      error={error}
      disabled={disabled}
      onChange={({ currentTarget: { value: text } }) => set(text === '' && !isRequired ? undefined : text)}
    />
  );
}

interface NumberFieldProps extends FieldProps {
  min?: number;
  max?: number;
  /** The value that is shown if the field is missing. */
  usual?: number;
  isWhole?: boolean;
}

export function NumberField({ place, label, description, isRequired, min = 0, max, usual, isWhole }: NumberFieldProps) {
  const { value, set, error, disabled } = useField(place);
  return (
    <NumberInput
      label={label}
      description={description}
      min={min}
      {...(max !== undefined && { max })}
      clampBehavior="none"
      allowDecimal={isWhole !== true}
      value={typeof value === 'number' ? value : (usual ?? '')}
      error={error}
      disabled={disabled}
      onChange={(number) => set(number === '' && !isRequired ? undefined : Number(number))}
    />
  );
}

interface ChoiceFieldProps extends FieldProps {
  data: readonly { value: string; label: string }[];
  placeholder?: string;
  /** The value if the field is missing. */
  usual?: string;
}

/** Selects one of the known values. The current value of the field is always offered. */
export function ChoiceField({ place, label, description, data, placeholder, usual, isRequired }: ChoiceFieldProps) {
  const { value, set, error, disabled } = useField(place);
  const own = value === undefined ? (usual ?? '') : textOf(value);
  return (
    <Select
      label={label}
      description={description}
      data={withOwn(data, own)}
      value={own === '' ? null : own}
      placeholder={placeholder}
      error={error}
      disabled={disabled}
      searchable={data.length > 5}
      clearable={isRequired !== true && usual === undefined}
      allowDeselect={false}
      onChange={(chosen) => set(chosen ?? (isRequired ? '' : undefined))}
    />
  );
}

interface NamedFieldProps extends FieldProps {
  list: NamedList;
  sentOn?: SentOn | undefined;
  placeholder: string;
  /** Shown if there is nothing to choose. */
  nothing?: string;
}

/** Selects a segment, campaign or template by its name. */
export function NamedField({ place, isRequired, ...select }: NamedFieldProps) {
  const { value, set, error, disabled } = useField(place);
  return (
    <NamedSelect
      {...select}
      value={textOf(value) || null}
      error={error}
      disabled={disabled}
      clearable={isRequired !== true}
      onChange={(chosen) => set(chosen ?? (isRequired ? '' : undefined))}
    />
  );
}

interface OfferedFieldProps extends FieldProps {
  data: readonly string[];
  /** Called when the suggestions are shown, for values that are read only then. */
  onOpen?(): void;
}

/** A text field that suggests known values. */
export function OfferedField({ place, label, description, data, isRequired, onOpen }: OfferedFieldProps) {
  const { value, set, error, disabled } = useField(place);
  return (
    <Autocomplete
      label={label}
      description={description}
      data={[...new Set(data)]}
      limit={50}
      value={textOf(value)}
      error={error}
      disabled={disabled}
      onChange={(text) => set(text === '' && !isRequired ? undefined : text)}
      {...(onOpen && { onDropdownOpen: onOpen })}
    />
  );
}

/** @param units the units to offer, such as MHDW */
export function DurationField({ place, label, description, units = 'SMHDW' }: FieldProps & { units?: string }) {
  const { value, set, error, disabled } = useField(place);
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Group gap="xs" mt={4}>
        <DurationInput label={label} size="sm" value={value} units={units} disabled={disabled} onChange={set} />
      </Group>
    </Input.Wrapper>
  );
}
