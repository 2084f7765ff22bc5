import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import { useBlocker, useRouter } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { leaveGuard } from '../text/leave-guard.ts';
import { useWords } from '../text/text.tsx';

interface FormState {
  /** Whether the form has changes that are not saved. */
  isChanged: boolean;
  /**
   * Whether the changes are being saved. Leaving would not stop that, and nobody would see the result. So the user can leave only after
   * the answer.
   */
  isSaving: boolean;
}

const unchanged: FormState = { isChanged: false, isSaving: false };

/** Reports the state of a form to the dialog that contains it. Null outside of a dialog. */
const InDialog = createContext<((state: FormState) => void) | null>(null);

/**
 * Asks for confirmation before the user leaves a page with unsaved changes, or closes the `FormDialog` or `SidePanel` that contains
 * them. Every form whose text would be lost renders this guard. A page with unsaved changes does not reload itself (parts/reload.ts).
 *
 * If the changes are saved while the question is open, the page that the user has requested is opened.
 *
 * It does not ask if only the query of the address changes, such as the tab, so the page must keep the changes then. After the form was
 * saved, navigate with `ignoreBlocker`, because the form still counts as changed at that time.
 */
export function LeaveGuard({ isChanged, isSaving }: FormState) {
  const words = useWords(leaveGuard);
  const report = useContext(InDialog);
  // This is a layout effect, so that the dialog knows of a change before the next key press.
  useLayoutEffect(() => {
    report?.({ isChanged, isSaving });
    return () => report?.(unchanged);
  }, [report, isChanged, isSaving]);
  const router = useRouter();
  const { status, next, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    // This also disables the browser's own question before it closes or reloads the page.
    disabled: !isChanged,
    withResolver: true,
  });
  useEffect(() => {
    // The changes were saved while the question was open, so leaving loses nothing.
    if (!isChanged) proceed?.();
  }, [isChanged, proceed]);
  const openRequested = useEffectEvent(() => {
    if (next === undefined || next.pathname === router.latestLocation.pathname) return;
    void router.navigate({ to: next.pathname as '/', search: next.search as never });
  });
  // The form disappeared while the question was open: it was saved, and its page has opened the page of the new object.
  useEffect(() => () => openRequested(), []);
  return (
    <Question
      isAsking={status === 'blocked'}
      isSaving={isSaving}
      text={words.ofPage}
      onStay={() => reset?.()}
      onLeave={() => proceed?.()}
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

/**
 * Asks before a dialog closes if a form in it has unsaved changes. While they are being saved, the dialog does not close. `guarded` wraps
 * the content of the dialog.
 */
export function useCloseQuestion(onClose: () => void) {
  const words = useWords(leaveGuard);
  const [{ isChanged, isSaving }, setForm] = useState(unchanged);
  const [isAsking, setAsking] = useState(false);
  if (isAsking && !isChanged) setAsking(false);
  return {
    close: () => {
      if (isSaving) return;
      if (!isChanged) onClose();
      // Every dialog listens to Escape, so a question that opened during the key press would be closed by the same key press.
      else setTimeout(() => setAsking(true));
    },
    isAsking,
    guarded: (content: ReactNode) => <InDialog value={setForm}>{content}</InDialog>,
    question: (
      <Question
        isAsking={isAsking}
        isSaving={isSaving}
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
  isSaving: boolean;
  text: string;
  onStay(): void;
  onLeave(): void;
}

function Question({ isAsking, isSaving, text, onStay, onLeave }: QuestionProps) {
  const words = useWords(leaveGuard);
  return (
    <Modal opened={isAsking} onClose={onStay} title={words.title}>
      <Stack>
        <Text size="sm">{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onStay}>
            {words.stay}
          </Button>
          <Button color="red" loading={isSaving} onClick={onLeave}>
            {words.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
