import { Card, NumberInput, Title } from '@mantine/core';
import { compliance } from '../../../text/compliance.ts';
import { useWords } from '../../../text/text.tsx';
import type { Draft } from './rules.ts';

/** The platform allows no larger control group. */
const mostPercent = 50;

interface ControlGroupProps {
  holdout: NonNullable<Draft['holdout']>;
  onChange(holdout: NonNullable<Draft['holdout']>): void;
}

/** The share of players who are in the control group of the brand. */
export function ControlGroup({ holdout, onChange }: ControlGroupProps) {
  const { rules: words } = useWords(compliance);
  return (
    <Card withBorder>
      <Title order={3} size="h4">
        {words.holdout}
      </Title>
      <NumberInput
        className="short-input"
        label={words.holdoutShare}
        description={words.holdoutAbout}
        min={0}
        max={mostPercent}
        // Otherwise, a larger number would become this one when the user leaves the field.
        clampBehavior="none"
        value={holdout.percent}
        onChange={(percent) => onChange({ percent })}
      />
    </Card>
  );
}
