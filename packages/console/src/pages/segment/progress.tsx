import { Card, Group, Progress, Text } from '@mantine/core';
import { api } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { IfMay } from '../../ui/may.tsx';
import { useNumber } from '../../ui/values.tsx';

interface SegmentProgressProps {
  brand: string;
  code: string;
  progress: number;
  isSlowed: boolean;
  /** A recomputation of a version that was in force cannot be cancelled. */
  canCancel: boolean;
  /** Whether there is a newer draft. A cancelled version does not replace it. */
  hasDraft: boolean;
}

/** Shows the progress of the computation of a version. The page of the segment reads the progress again when it changes. */
export function SegmentProgress({ brand, code, progress, isSlowed, canCancel, hasDraft }: SegmentProgressProps) {
  const { segments: words } = useText();
  const number = useNumber();
  const cancel = useAct(
    () => api.POST('/api/console/v1/brands/{brand}/segments/{code}/cancel', { params: { path: { brand, code } } }),
    {
      touches: [brand, 'segment', code],
      done: hasDraft ? words.computationCancelledKeepsDraft : words.computationCancelled,
    },
  );
  return (
    <Card withBorder>
      <Progress value={progress * 100} aria-label={words.progress} />
      <Group justify="space-between" align="flex-start" mt="xs">
        <div>
          <Text size="sm">{words.computing(number(Math.floor(progress * 100)))}</Text>
          {isSlowed && (
            <Text size="sm" c="dimmed">
              {words.slowed}
            </Text>
          )}
        </div>
        {canCancel && (
          <IfMay permission="segment.manage">
            <Sure
              label={words.cancelComputation}
              text={hasDraft ? words.cancelComputationKeepsDraft : words.cancelComputationSure}
              size="compact-sm"
              onSure={() => cancel.mutate()}
            />
          </IfMay>
        )}
      </Group>
    </Card>
  );
}
