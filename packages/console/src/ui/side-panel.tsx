import { Drawer, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../text/text.tsx';
import { useCloseQuestion } from './leave-guard.tsx';

interface SidePanelProps {
  /** The title of the panel. Undefined if the panel is closed. */
  title: string | undefined;
  close(): void;
  children: ReactNode;
}

/** A dialog at the right edge. It shows the list behind a number, or a form, and asks before unsaved changes of the form are lost. */
export function SidePanel({ title, close: onClose, children }: SidePanelProps) {
  const { common } = useText();
  const { close, isAsking, guarded, question } = useCloseQuestion(onClose);
  return (
    <>
      <Drawer.Root opened={title !== undefined} onClose={close} closeOnEscape={!isAsking} position="right" size="xl">
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
            {guarded(children)}
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      {question}
    </>
  );
}
