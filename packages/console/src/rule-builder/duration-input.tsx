import { NativeSelect, TextInput } from '@mantine/core';
import { useBuilding } from './builder-context.ts';
import { readSimpleDuration, writeDuration } from './conditions.ts';

interface DurationInputProps {
  /** ISO 8601, as it is in the rule. */
  value: unknown;
  /** The units to offer, such as MHDW. */
  units: string;
  onChange(value: string): void;
}

/** A number and a unit; a duration of several units, which a rule may have, is shown as it is written. */
export function DurationInput({ value, units, onChange }: DurationInputProps) {
  const { words } = useBuilding();
  const isEmpty = typeof value === 'string' && /^PT?[WDHMS]$/.test(value);
  const simple = isEmpty ? { count: '', unit: value.slice(-1) } : readSimpleDuration(value);
  if (simple === undefined)
    return (
      <TextInput
        size="xs"
        w={120}
        aria-label={words.span}
        value={String(value ?? '')}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  const offered = units.includes(simple.unit) ? units : units + simple.unit;
  return (
    <>
      <TextInput
        size="xs"
        w={70}
        inputMode="numeric"
        aria-label={words.span}
        value={simple.count}
        onChange={(event) =>
          onChange(writeDuration({ ...simple, count: event.currentTarget.value.replaceAll(/\D/g, '') }))
        }
      />
      <NativeSelect
        size="xs"
        aria-label={words.unit}
        value={simple.unit}
        onChange={(event) => onChange(writeDuration({ ...simple, unit: event.currentTarget.value }))}
        data={[...offered].map((unit) => ({ value: unit, label: words.units[unit] ?? unit }))}
      />
    </>
  );
}
