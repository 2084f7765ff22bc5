import { PasswordInput } from '@mantine/core';
import { useId } from 'react';
import type { InputProps } from '../field.ts';

interface SecretInputProps extends InputProps {
  required: boolean;
  placeholder: string;
  value: string;
}

/** A password or key. Mantine's input has no link to its error and description, so it gets them here. */
export function SecretInput({ label, description, error, value, onChange, ...common }: SecretInputProps) {
  const id = useId();
  const described = [error && `${id}-error`, description && `${id}-description`].filter(Boolean);
  return (
    <PasswordInput
      {...common}
      id={id}
      label={label}
      description={description}
      error={error}
      aria-invalid={error !== undefined}
      aria-describedby={described.length === 0 ? undefined : described.join(' ')}
      autoComplete="off"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}
