import { ActionIcon, Group } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '@tabler/icons-react';
import { useBuilding } from './builder-context.ts';
import { nodeAt, stepped, withNodeAt, withoutNodeAt } from './tree.ts';

/** Buttons that move and remove a node, by mouse or keyboard. */
export function NodeButtons({ path }: { path: string }) {
  const { rule, words, change, follow, dragged } = useBuilding();
  const isOfFact = path.endsWith('/value');
  const remove = () => {
    if (!isOfFact) return change(withoutNodeAt(rule, path));
    const count = path.slice(0, -'/value'.length);
    const { value: _, ...rest } = { value: undefined, ...nodeAt(rule, count) };
    change(withNodeAt(rule, count, rest as never));
  };
  const step = (direction: 'up' | 'down', label: string, icon: React.ReactNode) => {
    const there = stepped(rule, path, direction);
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        title={label}
        data-step={`${direction}${path}`}
        disabled={there === undefined}
        onClick={() => follow(there, direction)}
      >
        {icon}
      </ActionIcon>
    );
  };
  return (
    <Group gap={2} wrap="nowrap">
      {!isOfFact && (
        <>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging is for the mouse; the buttons beside it are for all */}
          <span
            draggable
            className="rule-handle"
            title={words.drag}
            onDragStart={(event) => {
              event.dataTransfer.setData('text/plain', path);
              dragged.current = path;
            }}
          >
            <IconGripVertical size={16} aria-hidden />
          </span>
          {step('up', words.up, <IconArrowUp size={16} />)}
          {step('down', words.down, <IconArrowDown size={16} />)}
        </>
      )}
      <ActionIcon variant="subtle" color="gray" aria-label={words.remove} title={words.remove} onClick={remove}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}
