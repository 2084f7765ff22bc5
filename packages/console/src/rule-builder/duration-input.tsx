import { NativeSelect, TextInput } from '@mantine/core';
import { useWords } from '../text/text.tsx';
import { readSimpleDuration, writeDuration } from './conditions.ts';
import { builderWords } from './words.ts';

interface DurationInputProps {
  /** An ISO 8601 duration, as in the rule. */
  value: unknown;
  /** The units to offer, such as MHDW. */
  units: string;
  /** Label for screen readers. */
  label?: string;
  size?: 'xs' | 'sm';
  disabled?: boolean;
  onChange(value: string): void;
}

/**
 * An input with a number and a unit. A rule may contain a duration with several units, which is shown as ISO 8601 text.
 */
export function DurationInput({ value, units, label, size = 'xs', disabled = false, onChange }: DurationInputProps) {
  const words = useWords(builderWords);
  const span = label ?? words.span;
  const isEmpty = typeof value === 'string' && /^PT?[WDHMS]$/.test(value);
  const simple = isEmpty ? { count: '', unit: value.slice(-1) } : readSimpleDuration(value);
  if (simple === undefined)
    return (
      <TextInput
        size={size}
        w={120}
        aria-label={span}
        disabled={disabled}
        value={String(value ?? '')}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  const offered = units.includes(simple.unit) ? units : units + simple.unit;
  return (
    <>
      <TextInput
        size={size}
        w={70}
        inputMode="numeric"
        aria-label={span}
        disabled={disabled}
        value={simple.count}
        onChange={(event) =>
          onChange(writeDuration({ ...simple, count: event.currentTarget.value.replaceAll(/\D/g, '') }))
        }
      />
      <NativeSelect
        size={size}
        aria-label={label === undefined ? words.unit : `${label}: ${words.unit}`}
        disabled={disabled}
        value={simple.unit}
        onChange={(event) => onChange(writeDuration({ ...simple, unit: event.currentTarget.value }))}
        data={[...offered].map((unit) => ({ value: unit, label: words.units[unit] ?? unit }))}
      />
    </>
  );
}
