import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useLayoutEffect, useState } from 'react';
import { leaveGuard } from '../text/leave-guard.ts';
import { useWords } from '../text/text.tsx';

/** Reports to the dialog that contains a form whether the form has unsaved changes. Null outside of a dialog. */
const InDialog = createContext<((isChanged: boolean) => void) | null>(null);

/**
 * Asks for confirmation before the user leaves a page with unsaved changes, or closes the `FormDialog` or `SidePanel` that contains
 * them. Every form whose text would be lost renders this guard. A page with unsaved changes does not reload itself (parts/reload.ts).
 *
 * It does not ask if only the query of the address changes, such as the tab, so the page must keep the changes then. After the form was
 * saved, navigate with `ignoreBlocker`, because the form still counts as changed at that time.
 */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const words = useWords(leaveGuard);
  const report = useContext(InDialog);
  // This is a layout effect, so that the dialog knows of a change before the next key press.
  useLayoutEffect(() => {
    report?.(isChanged);
    return () => report?.(false);
  }, [report, isChanged]);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    // This also disables the browser's own question before it closes or reloads the page.
    disabled: !isChanged,
    withResolver: true,
  });
  return (
    <Question
      isAsking={blocker.status === 'blocked'}
      text={words.ofPage}
      onStay={() => blocker.reset?.()}
      onLeave={() => blocker.proceed?.()}
    />
  );
}

/** A dialog with a form. If the form has unsaved changes (`LeaveGuard`), the dialog asks before it closes. */
export function FormDialog({ onClose, children, ...dialog }: ModalProps) {
  const { close, isAsking, guarded, question } = useCloseQuestion(onClose);
  return (
    <>
      <Modal {...dialog} closeOnEscape={!isAsking} onClose={close}>
        {guarded(children)}
      </Modal>
      {question}
    </>
  );
}

/** Asks before a dialog closes if a form in it has unsaved changes. `guarded` wraps the content of the dialog. */
export function useCloseQuestion(onClose: () => void) {
  const words = useWords(leaveGuard);
  const [isChanged, setChanged] = useState(false);
  const [isAsking, setAsking] = useState(false);
  return {
    close: () => {
      if (!isChanged) onClose();
      // Every dialog listens to Escape, so a question that opened during the key press would be closed by the same key press.
      else setTimeout(() => setAsking(true));
    },
    isAsking,
    guarded: (content: ReactNode) => <InDialog value={setChanged}>{content}</InDialog>,
    question: (
      <Question
        isAsking={isAsking}
        text={words.ofDialog}
        onStay={() => setAsking(false)}
        onLeave={() => {
          setAsking(false);
          onClose();
        }}
      />
    ),
  };
}

interface QuestionProps {
  isAsking: boolean;
  text: string;
  onStay(): void;
  onLeave(): void;
}

function Question({ isAsking, text, onStay, onLeave }: QuestionProps) {
  const words = useWords(leaveGuard);
  return (
    <Modal opened={isAsking} onClose={onStay} title={words.title}>
      <Stack>
        <Text size="sm">{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onStay}>
            {words.stay}
          </Button>
          <Button color="red" onClick={onLeave}>
            {words.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
