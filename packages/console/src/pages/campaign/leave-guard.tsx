import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { campaignEditor } from '../../text/campaign-editor.ts';
import { useWords } from '../../text/text.tsx';

/** Asks for confirmation before the user leaves a page with unsaved changes. Switching between tabs of the page keeps the changes. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const words = useWords(campaignEditor);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  const isAsking = blocker.status === 'blocked';
  return (
    <Modal opened={isAsking} onClose={() => blocker.reset?.()} title={words.leave}>
      <Stack>
        <Text size="sm">{words.leaveText}</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={() => blocker.reset?.()}>
            {words.stay}
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            {words.leaveSure}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
