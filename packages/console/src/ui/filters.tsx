import { Button, Select, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lists } from '../text/lists.ts';
import { useWords } from '../text/text.tsx';
import { useCode } from '../text/use-code.ts';
import { isOfList } from './table/list-address.ts';

/** What a list is narrowed by, as it stands in the address: such a view can be sent to somebody. */
export type Filters = Readonly<Record<string, string>>;

export function filtersOf(search: Record<string, unknown>): Filters {
  return Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => value !== '' && value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );
}

export function useFilters(): { filters: Filters; change(name: string, value: string | null): void } {
  const search = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const filters = Object.fromEntries(Object.entries(search).filter(([name]) => !isOfList(name)));
  const change = (name: string, value: string | null) => {
    const { [name]: _, ...others } = filters;
    const next = value === null || value === '' ? others : { ...others, [name]: value };
    // The filters of each page are its own, which the types of the router cannot say of `.`. The selected row may not be among the others: it goes.
    void navigate({ to: '.', search: next as never, replace: true });
  };
  return { filters, change };
}

/** The filters of a list beside each other, with a button that takes them all away. */
export function FilterBar({ children }: { children: ReactNode }) {
  const words = useWords(lists);
  const { filters } = useFilters();
  const navigate = useNavigate();
  return (
    <div className="filters">
      {children}
      {Object.keys(filters).length > 0 && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => void navigate({ to: '.', search: {} as never, replace: true })}
        >
          {words.clearFilters}
        </Button>
      )}
    </div>
  );
}

/** One of the values that a filter knows, or none. */
export function Choice({ name, label, of }: { name: string; label: string; of: readonly string[] }) {
  const { filters, change } = useFilters();
  const nameOf = useCode();
  return (
    <Select
      label={label}
      size="xs"
      clearable
      searchable
      data={of.map((value) => ({ value, label: nameOf(value) }))}
      value={filters[name] ?? null}
      onChange={(value) => change(name, value)}
    />
  );
}

/** Text that takes effect with the return key, or when the field is left. */
export function Words({ name, label }: { name: string; label: string }) {
  const { filters, change } = useFilters();
  const current = filters[name] ?? '';
  return (
    <TextInput
      key={current}
      label={label}
      size="xs"
      defaultValue={current}
      onBlur={({ currentTarget }) => currentTarget.value !== current && change(name, currentTarget.value.trim())}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && change(name, currentTarget.value.trim())}
    />
  );
}
