import { Checkbox } from '@mantine/core';
import { useField } from '../draft/editing.ts';
import type { Place } from '../draft/edits.ts';

/** True, or left out. */
export function Switch({ place, label }: { place: Place; label: string }) {
  const { value, set, disabled } = useField(place);
  return (
    <Checkbox
      label={label}
      checked={value === true}
      disabled={disabled}
      onChange={({ currentTarget }) => set(currentTarget.checked || undefined)}
    />
  );
}

interface PresenceProps {
  place: Place;
  label: string;
  /** What the part begins with when it is switched on. */
  first: unknown;
}

/** Whether the document has a part. */
export function Presence({ place, label, first }: PresenceProps) {
  const { value, set, disabled } = useField(place);
  return (
    <Checkbox
      label={label}
      checked={value !== undefined}
      disabled={disabled}
      onChange={({ currentTarget }) => set(currentTarget.checked ? first : undefined)}
    />
  );
}
