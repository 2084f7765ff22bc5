import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { isOfCause } from './draft.ts';

interface CauseInputsProps {
  /** All variables of the template. */
  names: readonly string[];
  values: Record<string, string>;
  onChange(values: Record<string, string>): void;
}

/** Values that only the cause of a message provides. The preview uses examples. */
export function CauseInputs({ names, values, onChange }: CauseInputsProps) {
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
            value={values[name] ?? ''}
            onChange={({ currentTarget }) => onChange({ ...values, [name]: currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
