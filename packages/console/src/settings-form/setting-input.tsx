import {
  ActionIcon,
  Button,
  ColorInput,
  Group,
  Input,
  JsonInput,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { settingsForm } from '../text/settings-form.ts';
import { useWords } from '../text/text.tsx';
import type { FieldSpec, FieldWords, ValueWords } from './field.ts';

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

const zones = Intl.supportedValuesOf('timeZone');
const iconSize = 16;

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
      return <Secret {...common} placeholder={hasSecrets ? form.stays : ''} value={text} onChange={onChange} />;
    case 'area':
      return <Textarea {...common} autosize minRows={3} maxRows={12} value={text} onChange={onText} />;
    case 'number': {
      const { min, max } = spec;
      return (
        <NumberInput
          {...common}
          maw={220}
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
          maw={320}
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
          maw={320}
          searchable
          allowDeselect={false}
          data={zones.includes(text) || text === '' ? zones : [text, ...zones]}
          value={text}
          onChange={(to) => to !== null && onChange(to)}
        />
      );
    case 'lines':
      return <Lines {...common} value={value} onChange={onChange} />;
    case 'json':
      return <Json {...common} value={value} onChange={onChange} noJson={form.noJson} />;
    case 'zones':
      return (
        <Input.Wrapper {...common} labelElement="div">
          <ZoneMap value={value} readOnly={isFixed} onChange={onChange} />
        </Input.Wrapper>
      );
    case 'rows':
      return (
        <Input.Wrapper {...common} labelElement="div">
          <RowsInput
            spec={spec}
            words={words}
            valueWords={valueWords}
            value={value}
            readOnly={isFixed}
            onChange={onChange}
          />
        </Input.Wrapper>
      );
  }
}

type CommonProps = { label: string; description: string | undefined; error: string | undefined; readOnly: boolean };
type PartProps = CommonProps & { value: unknown; onChange(value: unknown): void };

type SecretProps = CommonProps & {
  required: boolean;
  placeholder: string;
  value: string;
  onChange(value: unknown): void;
};

/** A password or key. Mantine's input has no link to its error and description, so it gets them here. */
function Secret({ label, description, error, value, onChange, ...common }: SecretProps) {
  const id = useId();
  const described = [error && `${id}-error`, description && `${id}-description`].filter(Boolean);
  return (
    <PasswordInput
      {...common}
      id={id}
      label={label}
      description={description}
      error={error}
      aria-invalid={error !== undefined}
      aria-describedby={described.length === 0 ? undefined : described.join(' ')}
      autoComplete="off"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}

/** A list of words, one per line. Empty lines are kept while the user types. */
function Lines({ value, onChange, ...common }: PartProps) {
  const list = Array.isArray(value) ? value.map(String) : [];
  const [text, setText] = useState(list.join('\n'));
  const isSame = JSON.stringify(linesOf(text)) === JSON.stringify(list);
  return (
    <Textarea
      {...common}
      autosize
      minRows={2}
      maxRows={10}
      value={isSame ? text : list.join('\n')}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(linesOf(currentTarget.value));
      }}
    />
  );
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A setting without a dedicated form. It is edited as JSON. While the JSON is invalid, the form cannot be submitted. */
function Json({ value, onChange, noJson, error, ...common }: PartProps & { noJson: string }) {
  const [text, setText] = useState(() => JSON.stringify(value ?? {}, null, 2));
  const read = parsed(text);
  const isInvalid = read === undefined;
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => input.current?.setCustomValidity(isInvalid ? noJson : ''), [isInvalid, noJson]);
  const given = value ?? {};
  const shown = isInvalid || JSON.stringify(read) === JSON.stringify(given) ? text : JSON.stringify(given, null, 2);
  return (
    <JsonInput
      {...common}
      classNames={{ input: 'code' }}
      autosize
      minRows={3}
      maxRows={16}
      ref={input}
      error={isInvalid ? noJson : error}
      value={shown}
      onChange={(written) => {
        setText(written);
        const object = parsed(written);
        if (object !== undefined) onChange(object);
      }}
    />
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface ListProps {
  value: unknown;
  readOnly: boolean;
  onChange(value: unknown): void;
}

/** Edits a list of countries, each with the time zone of its players. */
function ZoneMap({ value, readOnly, onChange }: ListProps) {
  const form = useWords(settingsForm);
  // A new row without a country is stored in this state, because a map cannot contain it.
  const [pending, setPending] = useState<string | null>(null);
  const entries = Object.entries((value ?? {}) as Record<string, string>);
  const write = (to: readonly (readonly [string, string])[]) => onChange(Object.fromEntries(to));
  return (
    <Stack gap="xs">
      {entries.map(([country, zone]) => (
        <Group key={country} gap="xs" wrap="nowrap">
          <TextInput w={90} readOnly aria-label={form.country} value={country} />
          <Select
            w={240}
            searchable
            allowDeselect={false}
            readOnly={readOnly}
            aria-label={form.zoneOf(country)}
            data={zones.includes(zone) ? zones : [zone, ...zones]}
            value={zone}
            onChange={(to) => to !== null && write(entries.map((one) => (one[0] === country ? [country, to] : one)))}
          />
          {!readOnly && (
            <Remove
              label={form.removeEntry(country)}
              onClick={() => write(entries.filter(([one]) => one !== country))}
            />
          )}
        </Group>
      ))}
      {!readOnly && (
        <Group gap="xs">
          <TextInput
            w={90}
            size="xs"
            aria-label={form.newCountry}
            placeholder="SE"
            value={pending ?? ''}
            onChange={({ currentTarget }) => setPending(currentTarget.value.toUpperCase())}
          />
          <Button
            size="xs"
            variant="light"
            disabled={!/^[A-Z]{2,3}$/.test(pending ?? '') || entries.some(([one]) => one === pending)}
            onClick={() => {
              write([...entries, [pending ?? '', 'UTC']]);
              setPending(null);
            }}
          >
            {form.addCountry}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** A list of entries that have the same fields. */
function RowsInput({
  spec,
  words,
  valueWords,
  value,
  readOnly,
  onChange,
}: ListProps & Pick<SettingInputProps, 'spec' | 'words' | 'valueWords'>) {
  const form = useWords(settingsForm);
  const rows = (Array.isArray(value) ? value : []) as Record<string, unknown>[];
  const columns = spec.columns ?? [];
  const write = (place: number, path: string, to: unknown) =>
    onChange(
      rows.map((row, index) => {
        if (index !== place) return row;
        const { [path]: _, ...others } = row;
        return to === undefined || to === '' ? others : { ...others, [path]: to };
      }),
    );
  return (
    <Stack gap="xs">
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name, and keep their place
        <Group key={place} gap="xs" align="flex-end" wrap="nowrap">
          {columns.map((column) => (
            <div key={column.path} style={{ flex: column.kind === 'area' ? 1 : undefined }}>
              <SettingInput
                spec={column as FieldSpec}
                words={words}
                valueWords={valueWords}
                value={row[column.path]}
                error={undefined}
                readOnly={readOnly}
                onChange={(to) => write(place, column.path, to)}
              />
            </div>
          ))}
          {!readOnly && (
            <Remove
              label={form.removeEntry(String(place + 1))}
              onClick={() => onChange(rows.filter((_, index) => index !== place))}
            />
          )}
        </Group>
      ))}
      {!readOnly && (
        <Group>
          <Button size="xs" variant="light" onClick={() => onChange([...rows, {}])}>
            {form.addEntry}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Remove({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
      <IconX size={iconSize} aria-hidden />
    </ActionIcon>
  );
}
