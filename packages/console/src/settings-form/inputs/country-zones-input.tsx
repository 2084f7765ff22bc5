import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { settingsForm } from '../../text/settings-form.ts';
import { useWords } from '../../text/text.tsx';
import type { InputProps } from '../field.ts';
import { RemoveButton } from './remove-button.tsx';
import { zonesWith } from './zones.ts';

/** Edits a list of countries, each with the time zone of its players. */
export function CountryZonesInput({ value, readOnly, onChange }: Pick<InputProps, 'value' | 'readOnly' | 'onChange'>) {
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
            data={zonesWith(zone)}
            value={zone}
            onChange={(to) => to !== null && write(entries.map((one) => (one[0] === country ? [country, to] : one)))}
          />
          {!readOnly && (
            <RemoveButton
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
