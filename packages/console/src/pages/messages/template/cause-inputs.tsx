import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { isOfCause } from './draft.ts';

interface CauseInputsProps {
  /** All variables of the template. */
  names: readonly string[];
  samples: { event: Record<string, unknown>; offer: Record<string, unknown> } | undefined;
  values: Record<string, string>;
  onChange(values: Record<string, string>): void;
}

/**
 * Inputs for values that only the cause of a message provides, such as its event. If the user enters none, the preview uses
 * examples.
 */
export function CauseInputs({ names, samples, values, onChange }: CauseInputsProps) {
  const words = useWords(messages).preview;
  const asked = names.filter(isOfCause);
  if (asked.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {words.cause}
      </Text>
      <Text size="xs" c="dimmed">
        {words.causeHint}
      </Text>
      <SimpleGrid cols={2} spacing="xs">
        {asked.map((name) => (
          <TextInput
            key={name}
            size="xs"
            label={name}
            placeholder={sampleOf(samples, name)}
            value={values[name] ?? ''}
            onChange={({ currentTarget }) => onChange({ ...values, [name]: currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function sampleOf(samples: CauseInputsProps['samples'], name: string): string {
  const [root = '', ...path] = name.split('.');
  let value: unknown = root === 'event' || root === 'offer' ? samples?.[root] : undefined;
  for (const key of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
