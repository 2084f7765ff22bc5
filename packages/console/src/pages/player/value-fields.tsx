import { Fieldset, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { playerActions } from '../../text/player-actions.ts';
import { useWords } from '../../text/text.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { templateQuery } from '../messages/queries.ts';
import { type MessageValue, valuesOf } from './message-values.ts';

interface ValueFieldsProps {
  brand: string;
  /** Code of the template. */
  template: string;
  /** Null until the template is loaded. */
  values: readonly MessageValue[] | null;
  onChange(to: readonly MessageValue[]): void;
}

const longestValue = 2_000;

/** One field for each value that the template takes from the sender. Most templates take none. */
export function ValueFields({ brand, template, values, onChange }: ValueFieldsProps) {
  const { message: words } = useWords(playerActions);
  const shown = useQuery(templateQuery(brand, template));
  useEffect(() => {
    if (values === null && shown.data !== undefined) onChange(valuesOf(shown.data));
  }, [values, shown.data, onChange]);
  if (shown.isLoadingError) return <Failed error={shown.error} onRetry={() => shown.refetch()} />;
  if (values === null) return <Loading />;
  if (values.length === 0) return null;
  return (
    <Fieldset legend={words.values}>
      <Stack>
        <Text size="sm">{words.valuesHint}</Text>
        {values.map(({ name, isNeeded, typed }) => (
          <TextInput
            key={name}
            label={name}
            description={isNeeded ? undefined : words.valueOptional}
            required={isNeeded}
            maxLength={longestValue}
            value={typed}
            error={isNeeded && typed !== '' && typed.trim() === '' && words.valueEmpty}
            onChange={({ currentTarget }) =>
              onChange(values.map((one) => (one.name === name ? { ...one, typed: currentTarget.value } : one)))
            }
          />
        ))}
      </Stack>
    </Fieldset>
  );
}
