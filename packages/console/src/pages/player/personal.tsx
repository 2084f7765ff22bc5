import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { personal } from '../../text/personal.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { useMay } from '../../ui/may.tsx';
import { Empty, Failed } from '../../ui/states.tsx';

const shortestReason = 5;

interface PersonalProps {
  brand: string;
  userId: string;
  profile: Readonly<Record<string, unknown>> | null;
}

/**
 * Who the player is. A role that sees it masked can show it for a reason. What was shown is kept in this component only: not in the cache of queries,
 * and not after the page is left.
 */
export function Personal({ brand, userId, profile }: PersonalProps) {
  const words = useWords(personal);
  const { common } = useText();
  const may = useMay();
  const [isAsking, { open, close }] = useDisclosure();
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
  if (profile === null) return <Empty>{words.none}</Empty>;
  const isMasked = !may('personal.read');
  const revealed = reveal.data;
  const shown: Readonly<Record<string, unknown>> = revealed?.profile ?? profile;
  const notes = revealed?.blocks.flatMap(({ type, note }) => (note ? [`${type}: ${note}`] : [])) ?? [];
  return (
    <Stack>
      {isMasked && may('personal.reveal') && revealed === undefined && (
        <Alert>
          <Stack align="flex-start" gap="sm">
            <Text size="sm">{words.masked}</Text>
            <Button size="xs" variant="light" onClick={open}>
              {words.reveal}
            </Button>
          </Stack>
        </Alert>
      )}
      {revealed !== undefined && (
        <Alert color="yellow" role="status">
          <Group justify="space-between">
            <Text size="sm">{words.shown}</Text>
            <Button size="xs" variant="default" onClick={() => reveal.reset()}>
              {words.hide}
            </Button>
          </Group>
        </Alert>
      )}
      <Fields
        of={[
          ...Object.entries(words.fields).map(
            ([field, name]) => [name, String(shown[field] ?? '') || common.none] as const,
          ),
          ...(notes.length > 0 ? [[words.notes, notes.join('; ')] as const] : []),
        ]}
      />
      <Modal opened={isAsking} onClose={close} title={words.reveal}>
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
