import { Group, Select, type SelectProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import {
  aboutOf,
  choicesQuery,
  choicesShown,
  type Named,
  type NamedList,
  namedQuery,
  type SentOn,
  searchPauseMs,
} from '../../api/named.ts';
import { lists } from '../../text/lists.ts';
import { useWords } from '../../text/text.tsx';
import { useBrand } from '../page.tsx';
import { choicesOf } from './choices.ts';
import { useName } from './use-names.ts';

/** Value of the option that reads a failed list again. It is not a code. */
const retry = 'try again';
const iconSize = 14;

type FieldProps = Pick<
  SelectProps,
  'label' | 'description' | 'placeholder' | 'size' | 'w' | 'maw' | 'required' | 'error' | 'disabled' | 'clearable'
>;

interface NamedSelectProps extends FieldProps {
  /** What can be chosen. */
  list: NamedList;
  /** Only templates that messages of this channel can use. */
  sentOn?: SentOn | undefined;
  /** A code that cannot be chosen. */
  except?: string;
  /** The chosen code. */
  value: string | null;
  /** @param item undefined if nothing is chosen, or if the item does not exist any more */
  onChange(code: string | null, item: Named | undefined): void;
  /** Shown if there is nothing to choose. */
  nothing?: string;
}

/**
 * Selects a segment, campaign or template. It shows the first ones by name when it opens, and the platform searches while
 * the user types. The chosen one is read by its code, so its name is shown even if the list does not contain it.
 */
export function NamedSelect({ list, sentOn, except, value, onChange, nothing, ...field }: NamedSelectProps) {
  const brand = useBrand();
  const words = useWords(lists).choices;
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const isRetrying = useRef(false);
  const ownName = useName(value === null ? undefined : aboutOf(list, value));
  // The input contains the name of the chosen item until the user types.
  const text = typed === ownName ? '' : typed.trim();
  const [searched] = useDebouncedValue(text, searchPauseMs);
  const page = useQuery({ ...choicesQuery(brand, list, searched, sentOn), enabled: isOpen });

  const own = value === null ? undefined : { code: value, name: ownName };
  const isAnswered = page.isSuccess && !page.isPlaceholderData && searched === text;
  const choices = choicesOf({ found: page.data?.items ?? [], text, isAnswered, own, except });
  const offered = choices.map(optionOf);
  const failed = page.isError ? [{ value: retry, label: `${page.error.message} ${words.retry}` }] : [];
  const isPart = isAnswered && page.data?.isWhole === false;
  const shown = isPart ? [{ group: words.part(choicesShown), items: offered }] : [...failed, ...offered];
  // The input takes its text from the options. So the chosen item is among them, even if a search hides it.
  const isOwnHidden = own !== undefined && !choices.some(({ code }) => code === own.code);
  const none = text === '' ? (nothing ?? words.empty) : words.none;

  const choose = (code: string | null) => {
    if (code === retry) {
      isRetrying.current = true;
      void page.refetch();
      return;
    }
    const item = page.data?.items.find((one) => one.code === code);
    if (item !== undefined) queries.setQueryData(namedQuery(brand, aboutOf(list, item.code)).queryKey, item);
    onChange(code, item);
  };
  const close = () => {
    if (!isRetrying.current) setOpen(false);
    isRetrying.current = false;
  };
  return (
    <Select
      {...field}
      // Together with the arrow, the button that clears the field would cover the end of a long name.
      clearSectionMode="clear"
      searchable
      // With the keyboard, the user removes the choice by selecting it again.
      allowDeselect={field.clearable === true}
      data={isOwnHidden ? [...shown, optionOf(own)] : shown}
      filter={({ options }) => (isOwnHidden ? options.slice(0, -1) : options)}
      // The list itself scrolls, and belongs to the main part of the page. So a screen reader knows where it is.
      withScrollArea={false}
      classNames={{ options: 'choices' }}
      comboboxProps={{ portalProps: { target: '#page' } }}
      value={value}
      onChange={choose}
      onSearchChange={setTyped}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={close}
      nothingFoundMessage={isAnswered ? none : words.searching}
      renderOption={({ option, checked }) => <Option code={option.value} label={option.label} isChosen={checked} />}
    />
  );
}

const optionOf = ({ code, name }: Named) => ({ value: code, label: name });

function Option({ code, label, isChosen = false }: { code: string; label: string; isChosen?: boolean | undefined }) {
  if (code === retry)
    return (
      <Text size="sm" className="rule-problem">
        {label}
      </Text>
    );
  return (
    <Group gap="xs" wrap="nowrap">
      {isChosen && <IconCheck size={iconSize} aria-hidden />}
      <div>
        <Text size="sm">{label}</Text>
        {label !== code && (
          <Text size="xs" c="dimmed">
            {code}
          </Text>
        )}
      </div>
    </Group>
  );
}
