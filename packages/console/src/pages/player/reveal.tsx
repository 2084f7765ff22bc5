import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { personal } from '../../text/personal.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useMay } from '../../ui/may.tsx';
import { Failed } from '../../ui/states.tsx';

/** The API requires at least this many characters. */
const shortestReason = 5;

interface Revealed {
  profile: Readonly<Record<string, unknown>> | null;
}

interface RevealProps {
  brand: string;
  userId: string;
  /** @param revealed undefined if nothing was revealed */
  children(revealed: Revealed | undefined): ReactNode;
}

/**
 * Lets a role with masked data reveal the data of one player for a reason. Only this component stores the data. It is
 * not in the cache of queries, and it is deleted when the user leaves the page.
 */
export function Reveal({ brand, userId, children }: RevealProps) {
  const words = useWords(personal);
  const { common } = useText();
  const may = useMay();
  const [isOpen, { open, close }] = useDisclosure();
  const [reason, setReason] = useState('');
  const reveal = useMutation({
    gcTime: 0,
    mutationFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/players/{user_id}/reveal', {
          params: { path: { brand, user_id: userId } },
          body: { reason: reason.trim() },
        }),
      ),
    onSuccess: () => {
      setReason('');
      close();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reveal.mutate();
  };
  if (may('personal.read') || !may('personal.reveal')) return children(undefined);
  const revealed = reveal.data;
  const notes = revealed?.blocks.flatMap(({ type, note }) => (note ? [`${type}: ${note}`] : [])) ?? [];
  return (
    <Stack>
      {revealed === undefined ? (
        <Alert>
          <Stack align="flex-start" gap="sm">
            <Text size="sm">{words.masked}</Text>
            <Button size="xs" variant="default" onClick={open}>
              {words.reveal}
            </Button>
          </Stack>
        </Alert>
      ) : (
        <Alert color="yellow" role="status">
          <Group justify="space-between">
            <Text size="sm">{words.shown}</Text>
            <Button size="xs" variant="default" onClick={() => reveal.reset()}>
              {words.hide}
            </Button>
          </Group>
          {notes.length > 0 && (
            <Text size="sm">
              {words.notes}: {notes.join('; ')}
            </Text>
          )}
        </Alert>
      )}
      {children(revealed)}
      <Modal opened={isOpen} onClose={close} title={words.reveal}>
        <form onSubmit={submit}>
          <Stack>
            {reveal.isError && <Failed error={reveal.error} />}
            <TextInput
              label={words.reason}
              description={words.reasonHint}
              maxLength={300}
              data-autofocus
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {common.cancel}
              </Button>
              <Button type="submit" disabled={reason.trim().length < shortestReason} loading={reveal.isPending}>
                {words.reveal}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </Stack>
  );
}
