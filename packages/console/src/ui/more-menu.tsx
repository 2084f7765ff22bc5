import { ActionIcon, Button, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../text/text.tsx';

interface RareAction {
  label: string;
  /**
   * Text of the confirmation: what happens, and whether it can be undone. If it is omitted, the action starts without
   * confirmation.
   */
  text?: string;
  isDisabled: boolean;
  onSure(): void;
}

interface MoreMenuProps {
  /** The object of the actions, if the page shows several. */
  name?: string;
  actions: readonly RareAction[];
}

/** A menu of actions that are rare or cannot be undone. */
export function MoreMenu({ name, actions }: MoreMenuProps) {
  const { common } = useText();
  const label = name === undefined ? common.moreActions : `${common.moreActions}: ${name}`;
  const [asked, setAsked] = useState<RareAction>();
  // This state keeps the text while the dialog closes.
  const [isOpen, setOpen] = useState(false);
  const choose = (action: RareAction) => {
    if (action.text === undefined) return action.onSure();
    setAsked(action);
    setOpen(true);
  };
  const sure = () => {
    setOpen(false);
    asked?.onSure();
  };
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={label} title={label}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((action) => (
            <Menu.Item key={action.label} disabled={action.isDisabled} onClick={() => choose(action)}>
              {action.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={asked?.label}>
        <Stack>
          <Text size="sm">{asked?.text}</Text>
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={() => setOpen(false)}>
              {common.cancel}
            </Button>
            <Button color="red" onClick={sure}>
              {asked?.label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
