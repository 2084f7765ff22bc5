import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { IconArrowBarToDown, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useEditing } from '../draft/editing.ts';
import { addStep, findStep, isWithin, kinds, moveStepTo, type StepPlace } from '../draft/edits.ts';
import { KindIcon } from './kind-icon.tsx';

interface InsertStepProps extends StepPlace {
  /** Describes the place where the button inserts, for screen readers. */
  label: string;
  /** Shows a label, if there is room. */
  isWide?: boolean;
}

/**
 * A button that inserts a step at a place. It inserts a new step of the chosen kind, or the step that is being moved.
 */
export function InsertStep({ list, at, label, isWide }: InsertStepProps) {
  const words = useWords(campaignEditor);
  const { draft, mayEdit, moving, setMoving, change, select } = useEditing();
  // After a step was added, the focus goes to the step, not back to the button that opened the menu.
  const [isAdded, setAdded] = useState(false);
  if (!mayEdit) return null;
  if (moving !== undefined) {
    const from = findStep(draft, moving);
    // A step cannot be moved into itself, or to its current place.
    if (from === undefined || isWithin(list, from)) return null;
    const isThere = from.list.join('/') === list.join('/') && (at === from.at || at === from.at + 1);
    if (isThere) return null;
    const put = () => {
      change(moveStepTo(draft, from, { list, at }));
      setMoving(undefined);
      select({ step: moving });
    };
    return (
      <ActionIcon
        size="sm"
        radius="xl"
        color="teal.9"
        variant="filled"
        className="move-target nodrag nopan"
        aria-label={`${words.moveHere(moving)}: ${label}`}
        title={words.moveHere(moving)}
        onClick={put}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          put();
        }}
      >
        <IconArrowBarToDown size={14} />
      </ActionIcon>
    );
  }
  return (
    <Menu position="bottom" withinPortal returnFocus={!isAdded} onOpen={() => setAdded(false)}>
      <Menu.Target>
        {isWide ? (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} />}
            aria-label={`${words.add}: ${label}`}
          >
            {words.add}
          </Button>
        ) : (
          <ActionIcon size="sm" radius="xl" variant="default" className="nodrag nopan" aria-label={label} title={label}>
            <IconPlus size={14} />
          </ActionIcon>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map((kind) => (
          <Menu.Item
            key={kind}
            leftSection={<KindIcon kind={kind} />}
            onClick={() => {
              const made = addStep(draft, list, kind, at);
              change(made.draft);
              setAdded(true);
              select({ step: made.id });
            }}
          >
            <Text size="sm">{words.kinds[kind]}</Text>
            <Text size="xs" c="dimmed">
              {words.kindHints[kind]}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
