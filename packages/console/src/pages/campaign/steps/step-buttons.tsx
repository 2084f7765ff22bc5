import { ActionIcon, Group } from '@mantine/core';
import { IconArrowDown, IconArrowsMove, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useEditing } from '../draft/editing.ts';
import { readList, readText, type StepPlace } from '../draft/edits.ts';
import { useStepActions } from './use-step-actions.ts';

/** Actions on a whole step. */
export function StepButtons({ list, at }: StepPlace) {
  const words = useWords(campaignEditor);
  const { draft, mayEdit, moving } = useEditing();
  const { move, duplicate, remove, beginMoving } = useStepActions();
  const steps = readList(draft, list);
  const id = readText(steps[at], ['id']);
  if (!mayEdit) return null;
  const button = (name: string, icon: React.ReactNode, isOff: boolean, act: () => void) => (
    <ActionIcon variant="subtle" color="gray" aria-label={`${name}: ${id}`} title={name} disabled={isOff} onClick={act}>
      {icon}
    </ActionIcon>
  );
  return (
    <Group gap={2} wrap="nowrap">
      {button(words.up, <IconArrowUp size={16} />, at === 0, () => move({ list, at }, -1))}
      {button(words.down, <IconArrowDown size={16} />, at === steps.length - 1, () => move({ list, at }, 1))}
      {button(words.move, <IconArrowsMove size={16} />, moving !== undefined, () => beginMoving(id))}
      {button(words.copy, <IconCopy size={16} />, false, () => duplicate({ list, at }))}
      {button(words.remove, <IconTrash size={16} />, false, () => remove({ list, at }))}
    </Group>
  );
}
