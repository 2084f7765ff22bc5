import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { overtaken } from '../text/overtaken.ts';
import { useWords } from '../text/text.tsx';
import type { useEdited } from './edited.ts';

interface OvertakenProps {
  edited: Pick<ReturnType<typeof useEdited>, 'isOvertaken' | 'keepOwn' | 'takeStored'>;
  /** Removes an error of an earlier save, which may have been refused because of the changes of the other person. */
  forgetError?(): void;
}

/** Lets the user choose between their changes and those that another person has saved in the meantime. */
export function Overtaken({ edited, forgetError }: OvertakenProps) {
  const words = useWords(overtaken);
  if (!edited.isOvertaken) return null;
  const choose = (take: () => void) => {
    forgetError?.();
    take();
  };
  return (
    <Alert color="yellow" role="alert" title={words.title}>
      <Stack align="flex-start" gap="xs">
        <Text size="sm">{words.hint}</Text>
        <Group gap="xs">
          <Button size="xs" variant="light" onClick={() => choose(edited.keepOwn)}>
            {words.keepOwn}
          </Button>
          <Button size="xs" variant="default" onClick={() => choose(edited.takeStored)}>
            {words.discardOwn}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
