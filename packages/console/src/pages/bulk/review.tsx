import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { bulk } from '../../text/bulk.ts';
import { useWords } from '../../text/text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { To } from '../../ui/to.tsx';
import { useDuration, useNumber } from '../../ui/values.tsx';
import { Reach, useReach, type Way } from './reach.tsx';

interface ReviewProps {
  brand: string;
  segment: { code: string; name: string };
  kind: 'message' | 'offer';
  way: Way;
  rows(members: number): readonly (readonly [name: string, value: ReactNode])[];
  /** Players per second. */
  pace: number;
  error: Error | null;
  isSending: boolean;
  /** True if the order may have been placed, because its answer did not arrive. */
  isUnanswered: boolean;
  onSend(): void;
  onBack(): void;
  onStartOver(): void;
}

/**
 * The second step of an order. It shows what is sent, to how many players, and from how many the gate would withhold
 * it.
 */
export function Review(props: ReviewProps) {
  const { brand, segment, kind, way, rows, pace, error, isSending, isUnanswered, onSend, onBack, onStartOver } = props;
  const { order: words } = useWords(bulk);
  const number = useNumber();
  const duration = useDuration();
  const reach = useReach(brand, segment.code, way);
  const members = reach.data?.members ?? 0;
  const title = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone, and a screen reader should read the review.
  useEffect(() => title.current?.focus(), []);
  const confirms = (kind === 'offer' ? words.offerTo : words.send)(number(members), members === 1);
  return (
    <Stack>
      <Title order={3} size="h5" ref={title} tabIndex={-1}>
        {words.reviewTitle}
      </Title>
      <Fields
        of={[
          [words.to, segment.name],
          ...rows(members),
          [words.takes, words.about1(duration(Math.max(1, Math.ceil(members / pace))))],
        ]}
      />
      <Reach of={reach} />
      <Text size="sm">{words.noUndo}</Text>
      {isUnanswered && (
        <Alert color="yellow" title={words.unanswered}>
          <Stack align="flex-start" gap="xs">
            <Text size="sm">{words.unansweredHint}</Text>
            <To to="messages/bulk-actions" search={{ segment: segment.code }} isSentence>
              {words.toList}
            </To>
            <Button size="xs" variant="default" onClick={onStartOver}>
              {words.startOver}
            </Button>
          </Stack>
        </Alert>
      )}
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      <Group justify="flex-end">
        {!isUnanswered && (
          <Button variant="default" disabled={isSending} onClick={onBack}>
            {words.back}
          </Button>
        )}
        <Button loading={isSending} disabled={members === 0 && !isUnanswered} onClick={onSend}>
          {isUnanswered ? words.sendAgain : confirms}
        </Button>
      </Group>
    </Stack>
  );
}
