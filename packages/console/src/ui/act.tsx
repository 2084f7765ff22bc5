import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { isConflict } from '../api/client.ts';
import { stopReading } from '../api/live.ts';
import { useText } from '../text/text.tsx';

interface ActOptions<Output> {
  /** Key below which all queries are read again after the change, and after a conflict with a change by another person. */
  touches: QueryKey;
  /**
   * Key of the object that the change deletes. The page of the object is still shown until `onDone` leaves it.
   * Meanwhile, the queries below the key are not read again.
   */
  deletes?: QueryKey;
  /** Notice after the change. By default, there is none. */
  done?: string;
  /** Called after the change. It may return a promise, for example of a navigation. */
  onDone?: (output: Output) => unknown;
}

/** Makes a change. If the platform refuses it, a notice shows the reason. */
export function useAct<Input = void, Output = unknown>(
  act: (input: Input) => Promise<Output>,
  { touches, deletes, done, onDone }: ActOptions<Output>,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => {
      const resume = deletes === undefined ? undefined : stopReading(deletes);
      try {
        const output = await act(input);
        if (done !== undefined) notifications.show({ message: done, color: 'green' });
        await onDone?.(output);
        if (deletes !== undefined && resume !== undefined) onceUnobserved(queries, deletes, resume);
        return output;
      } catch (error) {
        resume?.();
        throw error;
      }
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: touches }),
    onError: (error) => {
      showFailure(error);
      // Another person may have changed the object, so the page shows it as it is now.
      if (isConflict(error)) void queries.invalidateQueries({ queryKey: touches });
    },
  });
}

/** Shows a notice with the reason. Only one notice with the same reason is shown at a time. */
export const showFailure = ({ message }: Error) => void notifications.show({ id: message, message, color: 'red' });

/**
 * Calls `then` as soon as no page uses a query below the key. After the user has left a page, React may still draw it
 * for a moment.
 */
function onceUnobserved(queries: QueryClient, queryKey: QueryKey, then: () => void): void {
  const cache = queries.getQueryCache();
  const isObserved = () => cache.findAll({ queryKey, type: 'active' }).length > 0;
  if (!isObserved()) {
    then();
    return;
  }
  const stop = cache.subscribe(() => {
    if (isObserved()) return;
    stop();
    then();
  });
}

interface SureProps extends ButtonProps {
  /** Label of the button, and of the button that confirms. */
  label: string;
  /** States what happens, and whether it can be undone. */
  text: string;
  /** Names the object too, for screen readers, if the page has several such buttons. Default: the label. */
  about?: string;
  onSure(): void;
}

/** A button that asks for confirmation. */
export function Sure({ label, text, about = label, onSure, ...button }: SureProps) {
  const { common } = useText();
  const [isOpen, { open, close }] = useDisclosure();
  const sure = () => {
    close();
    onSure();
  };
  return (
    <>
      <Button variant="light" {...button} aria-label={about} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={about}>
        <Stack>
          <Text size="sm">{text}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {common.cancel}
            </Button>
            <Button color={button.color ?? 'blue'} onClick={sure} data-autofocus>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
