import { Select, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';

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
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const change = (name: string, value: string | null) => {
    const { [name]: _, ...others } = filters;
    const search = value === null || value === '' ? others : { ...others, [name]: value };
    // The filters of each page are its own, which the types of the router cannot say of `.`.
    void navigate({ to: '.', search: search as never, replace: true });
  };
  return { filters, change };
}

/** One of the values that a filter knows, or none. */
export function Choice({ name, label, of }: { name: string; label: string; of: readonly string[] }) {
  const { filters, change } = useFilters();
  return (
    <Select
      label={label}
      size="xs"
      clearable
      searchable
      data={of.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
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
