import { Stack, Text, UnstyledButton } from '@mantine/core';
import { useCode } from '../../../text/use-code.ts';
import { Section } from '../../../ui/section.tsx';
import { useNumber } from '../../../ui/values.tsx';
import type { ResultsShown } from './queries.ts';

interface ReasonBarsProps {
  title: string;
  reasons: ResultsShown['withheld_by'];
  show(reason: string): void;
}

/** Shows the effects by reason. A click on a bar opens its list. */
export function ReasonBars({ title, reasons, show }: ReasonBarsProps) {
  const number = useNumber();
  const codeName = useCode();
  if (reasons.length === 0) return null;
  const all = reasons.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section title={title}>
      <Stack gap={6} maw={640}>
        {reasons.map(({ reason, count }) => (
          <UnstyledButton key={reason} className="bar" onClick={() => show(reason)}>
            <span className="bar-fill" style={{ width: `${(count / all) * 100}%` }} />
            <Text span size="sm">
              {codeName(reason)}
            </Text>
            <Text span size="sm" className="figure">
              {number(count)}
            </Text>
          </UnstyledButton>
        ))}
      </Stack>
    </Section>
  );
}
