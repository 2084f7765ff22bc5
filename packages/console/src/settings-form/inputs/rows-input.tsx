import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { settingsForm } from '../../text/settings-form.ts';
import { useWords } from '../../text/text.tsx';
import type { FieldSpec, InputProps } from '../field.ts';
import { RemoveButton } from './remove-button.tsx';

interface RowsInputProps extends Pick<InputProps, 'value' | 'readOnly' | 'onChange'> {
  columns: readonly FieldSpec[];
  /** Returns the input of one field of a row. */
  inputOf(column: FieldSpec, value: unknown, onChange: (value: unknown) => void): ReactNode;
}

/** A list of entries that have the same fields. */
export function RowsInput({ columns, value, readOnly, onChange, inputOf }: RowsInputProps) {
  const form = useWords(settingsForm);
  const rows = (Array.isArray(value) ? value : []) as Record<string, unknown>[];
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
              {inputOf(column, row[column.path], (to) => write(place, column.path, to))}
            </div>
          ))}
          {!readOnly && (
            <RemoveButton
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
