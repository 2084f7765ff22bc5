import { Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { useNumber } from '../../../ui/values.tsx';
import { type CountedPlayers, type CountedState, countedStates, useEditing } from '../draft/editing.ts';

/** Colors of badges on the background of the page, with a contrast of 4.5 in light and dark. */
const colors: Readonly<Record<CountedState, string>> = {
  waiting: 'blue',
  held: 'yellow',
  withheld: 'orange',
  done: 'teal',
};

interface CountProps {
  of: CountedPlayers;
  count: number;
  /** Text before the count. By default, it is the state. */
  label?: string;
}

/** A count. A click on it opens its list. */
export function Count({ of, count, label }: CountProps) {
  const words = useWords(campaignEditor);
  const number = useNumber();
  const { showPlayers } = useEditing();
  const shown = `${number(count)} ${label ?? words.countedShort[of.state]}`;
  return (
    <UnstyledButton
      className="count figure nodrag nopan"
      aria-label={`${of.step}: ${shown}`}
      title={`${number(count)} ${label ?? words.counted[of.state]}. ${words.countedHint[of.state]}`}
      onClick={() => showPlayers(of)}
    >
      <span className="chart-key" style={{ background: `var(--mantine-color-${colors[of.state]}-6)` }} />
      {shown}
    </UnstyledButton>
  );
}

/** The counts of a step, without zeros. */
export function CountBadges({ step }: { step: string }) {
  const { counts } = useEditing();
  const own = counts.get(step);
  if (own === undefined) return null;
  return (
    <Group gap={8} wrap="nowrap">
      {countedStates.map((state) => own[state] > 0 && <Count key={state} of={{ step, state }} count={own[state]} />)}
    </Group>
  );
}

/** The counts of a step, broken down. */
export function CountDetails({ step }: { step: string }) {
  const words = useWords(campaignEditor);
  const codeName = useCode();
  const { counts } = useEditing();
  const own = counts.get(step);
  if (own === undefined) return null;
  const reasons = [
    ...own.withheld_by.map((one) => ({ ...one, state: 'withheld' as const })),
    ...own.held_by.map((one) => ({ ...one, state: 'held' as const })),
  ];
  return (
    <Stack gap={6}>
      <CountBadges step={step} />
      {reasons.length > 0 && (
        <Group gap={4}>
          <Text size="xs" c="dimmed">
            {words.byReason}
          </Text>
          {reasons.map(({ state, reason, count }) => (
            <Count
              key={`${state} ${reason}`}
              of={{ step, state, reason }}
              count={count}
              label={`${words.counted[state]}: ${codeName(reason)}`}
            />
          ))}
        </Group>
      )}
      {own.arms.length > 0 && (
        <Group gap={4}>
          <Text size="xs" c="dimmed">
            {words.byArm}
          </Text>
          {own.arms.map(({ variant, count }) => (
            <Count key={variant} of={{ step, state: 'done', variant }} count={count} label={variant} />
          ))}
        </Group>
      )}
    </Stack>
  );
}
