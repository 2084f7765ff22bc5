import { Checkbox } from '@mantine/core';
import { useField } from '../draft/editing.ts';
import type { Place } from '../draft/edits.ts';

/** A switch for a field that is either true or missing. */
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
  /** Initial content of the part when it is switched on. */
  first: unknown;
}

/** A switch that adds or removes a part of the document. */
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
