import { Text } from '@mantine/core';
import { campaignPage } from '../text/campaign-page.ts';
import { useWords } from '../text/text.tsx';
import { Moment, State } from '../ui/values.tsx';

/** The state of a run. A run that is done, or that exited after a split, can still watch for its goal. */
export function RunState({ run: { state, goal_until } }: { run: { state: string; goal_until: string | null } }) {
  const words = useWords(campaignPage);
  return (
    <>
      <State of={state} />
      {goal_until !== null && (
        <Text size="xs" c="dimmed">
          {words.watchesUntil} <Moment at={goal_until} />
        </Text>
      )}
    </>
  );
}
