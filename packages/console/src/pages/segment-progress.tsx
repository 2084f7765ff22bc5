import { Card, Progress, Text } from '@mantine/core';
import { useText } from '../text/text.tsx';
import { useNumber } from '../ui/values.tsx';

/** Shows the progress of the computation of a version. The page of the segment reads the progress again when it changes. */
export function SegmentProgress({ progress, isSlowed }: { progress: number; isSlowed: boolean }) {
  const { segments: words } = useText();
  const number = useNumber();
  return (
    <Card withBorder>
      <Progress value={progress * 100} aria-label={words.progress} />
      <Text size="sm" mt="xs">
        {words.computing(number(Math.floor(progress * 100)))}
      </Text>
      {isSlowed && (
        <Text size="sm" c="dimmed">
          {words.slowed}
        </Text>
      )}
    </Card>
  );
}
