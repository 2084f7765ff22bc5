import { Drawer, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../text/text.tsx';

interface SidePanelProps {
  /** The title of the panel. Undefined if the panel is closed. */
  title: string | undefined;
  close(): void;
  children: ReactNode;
}

/** A dialog at the right edge. It shows the list behind a number. */
export function SidePanel({ title, close, children }: SidePanelProps) {
  const { common } = useText();
  return (
    <Drawer.Root opened={title !== undefined} onClose={close} position="right" size="xl">
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body pt="md">
          {/* Drawer.Header is not used, because its header element would be a second banner of the page. */}
          <Group justify="space-between" mb="md" wrap="nowrap">
            <Drawer.Title fw={600} fz="lg">
              {title}
            </Drawer.Title>
            <Drawer.CloseButton aria-label={common.close} />
          </Group>
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
