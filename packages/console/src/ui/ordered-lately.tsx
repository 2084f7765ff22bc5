import { Alert, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { To } from './to.tsx';
import { Moment, State } from './values.tsx';

const dayMs = 24 * 3_600_000;

/** The beginning of the time that `OrderedLately` shows, for a dialog that was opened at this time (ms). */
export const sinceYesterday = (openedAt: number): string => new Date(openedAt - dayMs).toISOString();

interface OrderedLatelyProps {
  title: string;
  hint: string;
  items: readonly { to: string; what: string; at: string; by: ReactNode; state: string }[];
}

/**
 * Shows what was ordered in the last 24 hours, in the dialog that orders more of it. So no one orders the same twice, for
 * example after the answer was lost and the page reloaded.
 */
export function OrderedLately({ title, hint, items }: OrderedLatelyProps) {
  if (items.length === 0) return null;
  return (
    <Alert color="blue" title={title}>
      <Stack gap={4}>
        <Text size="sm">{hint}</Text>
        {items.map(({ to, what, at, by, state }) => (
          <Group key={to} gap="xs">
            <To to={to} isSentence>
              {what}
            </To>
            <Text size="sm">
              <Moment at={at} />, {by}
            </Text>
            <State of={state} />
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
