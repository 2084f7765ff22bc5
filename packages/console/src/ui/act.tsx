import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useText } from '../text/text.tsx';

/** A change, after which what it touches is read again. What is refused is said in a notice. */
export function useAct<Input = void, Output = unknown>(
  act: (input: Input) => Promise<Output>,
  { touches, done, onDone }: { touches: readonly unknown[]; done?: string; onDone?: (output: Output) => void },
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async (output) => {
      if (done !== undefined) notifications.show({ message: done, color: 'green' });
      onDone?.(output);
      await queries.invalidateQueries({ queryKey: touches });
    },
    onError: ({ message }) => notifications.show({ message, color: 'red' }),
  });
}

interface SureProps extends ButtonProps {
  /** On the button, and again on the one that does it. */
  label: string;
  /** What happens, and whether it can be undone. */
  text: string;
  onSure(): void;
}

/** A button that asks first. */
export function Sure({ label, text, onSure, ...button }: SureProps) {
  const { common } = useText();
  const [isOpen, { open, close }] = useDisclosure();
  const sure = () => {
    close();
    onSure();
  };
  return (
    <>
      <Button variant="light" {...button} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={label}>
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
