import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../text/text.tsx';

interface DialogEndProps {
  /** Why the platform refused what the dialog does. */
  error: Error | null;
  /** True while the dialog does it. The user cannot cancel then, because that would not stop it. */
  isBusy: boolean;
  onClose(): void;
  /** The button that does it. */
  children: ReactNode;
}

/** The end of a dialog that changes something: the reason of a failure, and the buttons. */
export function DialogEnd({ error, isBusy, onClose, children }: DialogEndProps) {
  const { common } = useText();
  return (
    <>
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" disabled={isBusy} onClick={onClose}>
          {common.cancel}
        </Button>
        {children}
      </Group>
    </>
  );
}
