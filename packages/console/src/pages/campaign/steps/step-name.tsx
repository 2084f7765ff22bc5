import { Group, Text } from '@mantine/core';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import type { Kind } from '../draft/edits.ts';
import { KindIcon } from './kind-icon.tsx';

interface StepNameProps {
  /** Id of the step. */
  step: string;
  /** Undefined if it is not known. Then only the id is shown. */
  kind: Kind | undefined;
}

/** What a step does, followed by its id, as on the canvas. */
export function StepName({ step, kind }: StepNameProps) {
  const words = useWords(campaignEditor);
  if (kind === undefined) return <>{step}</>;
  return (
    <Group gap={6} wrap="nowrap">
      <KindIcon kind={kind} />
      <Text span size="sm">
        {words.kinds[kind]}
      </Text>
      <Text span size="xs" c="dimmed">
        {step}
      </Text>
    </Group>
  );
}
