import { Button, Select, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { lists } from '../text/lists.ts';
import { useWords } from '../text/text.tsx';
import { useCode } from '../text/use-code.ts';
import { DayInput } from './day/day-input.tsx';
import { type DayCode, dayCodeOf, type Edge, edgeOf, edgeText } from './day/day-text.ts';
import { useRegion } from './region.ts';
import { isOfList } from './table/list-address.ts';

/** The filters of a list. They are in the query string, so that a filtered view can be shared as a link. */
export type Filters = Readonly<Record<string, string>>;

export function filtersOf(search: Record<string, unknown>): Filters {
  return Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => value !== '' && value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );
}

interface UsedFilters {
  filters: Filters;
  /** Sets one filter. Null removes it. */
  change(name: string, value: string | null): void;
  /** Replaces all filters. */
  set(filters: Filters): void;
}

export function useFilters(): UsedFilters {
  const search = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const filters = Object.fromEntries(Object.entries(search).filter(([name]) => !isOfList(name)));
  // Each page has its own filters, which the types of the router cannot express for `.`. The row is no longer selected,
  // because it may not match the new filters.
  const set = (next: Filters) => void navigate({ to: '.', search: next as never, replace: true });
  const change = (name: string, value: string | null) => {
    const { [name]: _, ...others } = filters;
    set(value === null || value === '' ? others : { ...others, [name]: value });
  };
  return { filters, change, set };
}

interface FilterBarProps {
  /** Query parameters that are not filters. They stay when the filters are cleared. */
  keeps?: readonly string[];
  /** Set this for six or seven short filters. They then fit into one line of a window of 1280 px. */
  isNarrow?: boolean;
  children: ReactNode;
}

/** The filters of a list in a row, with a button that clears all of them. */
export function FilterBar({ keeps = [], isNarrow = false, children }: FilterBarProps) {
  const words = useWords(lists);
  const { filters, set } = useFilters();
  const kept = Object.fromEntries(Object.entries(filters).filter(([name]) => keeps.includes(name)));
  return (
    <div className={isNarrow ? 'filters narrow' : 'filters'}>
      {children}
      {Object.keys(filters).length > Object.keys(kept).length && (
        <Button size="xs" variant="subtle" onClick={() => set(kept)}>
          {words.clearFilters}
        </Button>
      )}
    </div>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  of: readonly string[];
  /** Selects one of several meanings of codes. */
  namesIn?: string;
  /** Returns the label of a value. Default: the label of its code. */
  says?(value: string): string;
}

/** Selects one of the known values of a filter, or none. If the address contains another value, it is shown and can be selected, too. */
export function Choice({ name, label, of, namesIn, says }: ChoiceProps) {
  const { filters, change } = useFilters();
  const nameOf = useCode();
  const words = useWords(lists);
  const current = filters[name] ?? null;
  const values = current === null || of.includes(current) ? of : [...of, current];
  return (
    <Select
      label={label}
      placeholder={words.all}
      size="xs"
      clearable
      // Together with the arrow, the button that clears the field would cover the end of a long choice.
      clearSectionMode="clear"
      searchable
      data={values.map((value) => ({ value, label: says?.(value) ?? nameOf(value, namesIn) }))}
      value={current}
      onChange={(value) => change(name, value)}
    />
  );
}

interface WordsProps {
  name: string;
  label: string;
  placeholder?: string;
  /** Returns why the typed text cannot be a value of this filter. Such a text is not put into the address. */
  errorOf?(typed: string): string | undefined;
}

/** An input for text that takes effect when the user presses Enter, or leaves the field. */
export function Words({ name, label, placeholder, errorOf }: WordsProps) {
  const { filters, change } = useFilters();
  const current = filters[name] ?? '';
  const [typed, setTyped] = useState(current);
  // `shown` is the last value of the address, and `applied` the value that this input put into it. If the address gets another value,
  // for example because the filters were cleared, the input shows that value. It is not replaced, so it keeps the keyboard focus.
  const [known, setKnown] = useState({ shown: current, applied: current });
  if (known.shown !== current) {
    setKnown({ shown: current, applied: current });
    if (known.applied !== current) setTyped(current);
  }
  const error = errorOf?.(typed);
  const apply = () => {
    const applied = typed.trim();
    if (applied === current || error !== undefined) return;
    setKnown({ shown: current, applied });
    change(name, applied);
  };
  return (
    <TextInput
      label={label}
      size="xs"
      value={typed}
      error={error}
      {...(placeholder !== undefined && { placeholder })}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  );
}

interface DayProps {
  name: string;
  label: string;
  /** Determines whether the address contains the beginning or the end of the day. */
  edge: Edge;
}

/**
 * An input for a day in the zone of this browser. The address contains the moment at which the day begins or ends. A link can
 * contain a moment within a day. The input then shows its time, too.
 */
export function Day({ name, label, edge }: DayProps) {
  const { filters, change } = useFilters();
  const current = filters[name];
  const region = useRegion();
  const moment = new Date(current ?? '');
  const isSet = !Number.isNaN(moment.getTime());
  const set = (day: DayCode | undefined) => change(name, day === undefined ? null : edgeOf(day, edge).toISOString());
  return (
    <DayInput
      label={label}
      value={isSet ? dayCodeOf(moment) : undefined}
      shown={isSet ? edgeText(moment, edge, region) : ''}
      onChange={set}
    />
  );
}
