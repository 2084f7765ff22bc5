import { Autocomplete, Checkbox, MultiSelect, NativeSelect, TagsInput, Text, TextInput } from '@mantine/core';
import { useBuilding } from './builder-context.ts';
import type { CatalogField } from './catalog.ts';
import { numberOf, shapeOf } from './conditions.ts';
import { DurationInput } from './duration-input.tsx';
import type { Condition } from './tree.ts';

interface ValueInputProps {
  field: CatalogField;
  condition: Condition;
  onChange(condition: Condition): void;
}

/** The input for the value of a condition, in the form that the operator needs. */
export function ValueInput({ field, condition, onChange }: ValueInputProps) {
  const { words } = useBuilding();
  const { operator = '', value } = condition;
  const set = (changed: unknown) => onChange({ ...condition, value: changed });
  const unit = field.unit !== null && (
    <Text size="sm" c="dimmed">
      {field.unit}
    </Text>
  );
  switch (shapeOf(operator)) {
    case 'none':
      return null;
    case 'duration':
      return <DurationInput value={value} units={operator === 'anniversaryWithin' ? 'DW' : 'MHDW'} onChange={set} />;
    case 'list':
      return <ListInput field={field} value={value} onChange={set} />;
    case 'range': {
      const [from, to] = Array.isArray(value) ? value : String(value ?? '').split(',');
      return (
        <>
          <OneInput field={field} label={words.from} value={from} onChange={(changed) => set([changed, to])} />
          <OneInput field={field} label={words.to} value={to} onChange={(changed) => set([from, changed])} />
          {unit}
        </>
      );
    }
    default:
      return (
        <>
          <OneInput field={field} label={words.value} value={value} onChange={set} />
          {unit}
        </>
      );
  }
}

interface OneInputProps {
  field: CatalogField;
  label: string;
  value: unknown;
  onChange(value: unknown): void;
}

function OneInput({ field: { kind, values, sample }, label, value, onChange }: OneInputProps) {
  const { words } = useBuilding();
  const text = typeof value === 'string' ? value : value === undefined ? '' : String(value);
  if (kind === 'flag' || kind === 'status') {
    const choices = statuses(words, kind === 'status');
    const known = choices.some((choice) => choice.value === text)
      ? choices
      : [{ value: text, label: text }, ...choices];
    return (
      <NativeSelect
        size="xs"
        aria-label={label}
        value={text}
        onChange={(event) => onChange(statusOf(event.currentTarget.value))}
        data={known}
      />
    );
  }
  if (kind === 'moment') return <MomentInput label={label} text={text} onChange={onChange} />;
  if (kind === 'date' || kind === 'number')
    return (
      <TextInput
        size="xs"
        w={kind === 'date' ? 150 : 100}
        aria-label={label}
        type={kind === 'date' ? 'date' : 'text'}
        inputMode={kind === 'number' ? 'decimal' : undefined}
        value={text}
        placeholder={String(sample ?? '')}
        onChange={({ currentTarget }) =>
          onChange(kind === 'number' ? numberOf(currentTarget.value) : currentTarget.value)
        }
      />
    );
  return (
    <Autocomplete
      size="xs"
      w={180}
      aria-label={label}
      value={text}
      placeholder={String(sample ?? '')}
      data={[...new Set(values)]}
      limit={50}
      onChange={onChange}
    />
  );
}

/** An input for a day in the zone of the brand, or for a moment with its offset. */
function MomentInput({ label, text, onChange }: { label: string; text: string; onChange(value: string): void }) {
  const { words } = useBuilding();
  const hasTime = text.includes('T');
  return (
    <>
      <TextInput
        size="xs"
        w={hasTime ? 210 : 150}
        type={hasTime ? 'text' : 'date'}
        aria-label={label}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Checkbox
        size="xs"
        label={words.withTime}
        checked={hasTime}
        onChange={() => onChange(hasTime ? text.slice(0, 10) : `${text}T00:00:00Z`)}
      />
    </>
  );
}

function ListInput({ field: { kind, values }, value, onChange }: Omit<OneInputProps, 'label'>) {
  const { words } = useBuilding();
  const texts = (Array.isArray(value) ? value : value === undefined ? [] : String(value).split(',')).map(String);
  const own = [...new Set(texts)];
  if (kind === 'status')
    return (
      <MultiSelect
        size="xs"
        aria-label={words.values}
        value={own}
        data={statuses(words, true)}
        onChange={(chosen) => onChange(chosen.map(statusOf))}
      />
    );
  return (
    <TagsInput
      size="xs"
      miw={220}
      aria-label={words.values}
      placeholder={words.valuesHint}
      value={own}
      data={[...new Set(values)]}
      limit={50}
      acceptValueOnBlur
      onChange={(chosen) => onChange(kind === 'number' ? chosen.map(numberOf) : chosen)}
    />
  );
}

const statuses = (words: ReturnType<typeof useBuilding>['words'], hasUnknown: boolean) => [
  { value: 'true', label: words.yes },
  { value: 'false', label: words.no },
  ...(hasUnknown ? [{ value: 'unknown', label: words.unknown }] : []),
];

const statusOf = (text: string): unknown => (text === 'true' ? true : text === 'false' ? false : text);
