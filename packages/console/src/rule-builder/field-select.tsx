import { type ComboboxItem, type ComboboxParsedItem, type OptionsFilter, Select, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useBuilding } from './builder-context.ts';
import { type CatalogField, offeredFields } from './catalog.ts';

interface FieldSelectProps {
  fields: readonly CatalogField[];
  value: string;
  onChange(name: string): void;
}

/** Maximum number of fields that are shown at once. The user finds the others by typing. */
const drawn = 60;

/**
 * Returns whether a text is the name of a field. The catalog may not list it, such as
 * trait.deposit_count_by_vendor.1.
 */
const isName = (text: string) => /^(trait|profile|segment|tag|consent|block)\.\S+$/.test(text);

/** Lets the user choose a field. The fields are grouped. The search finds words in their titles and in their names. */
export function FieldSelect({ fields, value, onChange }: FieldSelectProps) {
  const { words } = useBuilding();
  const [search, setSearch] = useState('');
  const groups = useMemo(() => offeredFields(fields), [fields]);
  const isListed = (name: string) => groups.some((group) => group.fields.some(({ field }) => field === name));
  const others = [...new Set([value, ...(isName(search) ? [search] : [])])].filter((name) => !isListed(name));
  const listed = groups.map(({ group, fields: ofGroup }) => ({
    group,
    items: ofGroup.map(({ field, title }) => ({ value: field, label: title })),
  }));
  const own = others.length === 0 ? [] : [{ group: '…', items: others.map((name) => ({ value: name, label: name })) }];
  return (
    <Select
      size="xs"
      w={250}
      aria-label={words.field}
      placeholder={words.fieldHint}
      data={[...own, ...listed]}
      value={value}
      onChange={(name) => name !== null && onChange(name)}
      allowDeselect={false}
      searchable
      onSearchChange={setSearch}
      limit={drawn}
      filter={byWords}
      nothingFoundMessage={words.noField}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.label}</Text>
          {option.label !== option.value && (
            <Text size="xs" c="dimmed">
              {option.value}
            </Text>
          )}
        </div>
      )}
    />
  );
}

const byWords: OptionsFilter = ({ options, search, limit }) => {
  const sought = search.toLowerCase().split(/\s+/);
  const fits = ({ value, label }: ComboboxItem) => {
    const text = `${label} ${value}`.toLowerCase();
    return sought.every((word) => text.includes(word));
  };
  let left = limit;
  return options.flatMap<ComboboxParsedItem>((option) => {
    if (!('group' in option)) return fits(option) ? [option] : [];
    const items = option.items.filter(fits).slice(0, left);
    left -= items.length;
    return items.length === 0 ? [] : [{ ...option, items }];
  });
};
