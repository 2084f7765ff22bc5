import { type ComboboxItem, type ComboboxParsedItem, type OptionsFilter, Select, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useBuilding } from './builder-context.ts';
import { type CatalogField, offeredFields } from './catalog.ts';
import { useFoundMemberships, useMembershipTitle } from './use-memberships.ts';

interface FieldSelectProps {
  fields: readonly CatalogField[];
  /** Whether segments and tags can be chosen, too. */
  hasMemberships: boolean;
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
export function FieldSelect({ fields, hasMemberships, value, onChange }: FieldSelectProps) {
  const { words } = useBuilding();
  const [search, setSearch] = useState('');
  const groups = useMemo(() => offeredFields(fields), [fields]);
  const ownTitle = useMembershipTitle(value);
  // The input contains the title of the chosen field until the user types.
  const ownLabel = ownTitle ?? fields.find(({ field }) => field === value)?.title ?? value;
  const found = useFoundMemberships(hasMemberships && search !== ownLabel ? search.trim() : '');
  const listed = [
    ...groups.map(({ group, fields: ofGroup }) => ({
      group,
      items: ofGroup.map(({ field, title }) => ({ value: field, label: title })),
    })),
    ...found.groups,
  ];
  const isListed = (name: string) => listed.some(({ items }) => items.some((item) => item.value === name));
  const others = [...new Set([value, ...(isName(search) ? [search] : [])])].filter((name) => !isListed(name));
  const labelOf = (name: string) => (name === value ? ownLabel : name);
  const own =
    others.length === 0 ? [] : [{ group: '…', items: others.map((name) => ({ value: name, label: labelOf(name) })) }];
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
      // The list itself scrolls, and belongs to the main part of the page, as in the other choices.
      withScrollArea={false}
      classNames={{ options: 'choices' }}
      comboboxProps={{ portalProps: { target: '#page' } }}
      filter={byWords(found.groups)}
      nothingFoundMessage={found.isSearching ? words.searching : (found.error?.message ?? words.noField)}
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

/** @param searched groups that the platform has searched. They are shown completely, below the fields of the catalog. */
const byWords =
  (searched: readonly { group: string }[]): OptionsFilter =>
  ({ options, search, limit }) => {
    const sought = search.toLowerCase().split(/\s+/);
    const fits = ({ value, label }: ComboboxItem) => {
      const text = `${label} ${value}`.toLowerCase();
      return sought.every((word) => text.includes(word));
    };
    let left = limit;
    return options.flatMap<ComboboxParsedItem>((option) => {
      if (!('group' in option)) return fits(option) ? [option] : [];
      const isSearched = searched.some(({ group }) => group === option.group);
      const items = option.items.filter(fits).slice(0, isSearched ? undefined : left);
      if (!isSearched) left -= items.length;
      return items.length === 0 ? [] : [{ ...option, items }];
    });
  };
