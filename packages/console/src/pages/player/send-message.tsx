import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { playerActions } from '../../text/player-actions.ts';
import { useText, useWords } from '../../text/text.tsx';
import { DialogEnd } from '../../ui/dialog-end.tsx';
import { Fields } from '../../ui/fields.tsx';
import { FormDialog, LeaveGuard } from '../../ui/leave-guard.tsx';
import { Named, State } from '../../ui/values.tsx';
import { bodyOfMessage, empty, hasText, type Typed } from './message-body.ts';
import { MessageFields } from './message-fields.tsx';
import type { OfPlayer } from './of-player.ts';

/** A dialog that sends a message to one player, from a template or with its own text. */
export function SendMessage({ brand, userId: user_id }: OfPlayer) {
  const { message: words } = useWords(playerActions);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button aria-haspopup="dialog" onClick={open}>
        {words.open}
      </Button>
      <FormDialog opened={isOpen} onClose={close} title={words.open} size="lg">
        <SendForm brand={brand} userId={user_id} onClose={close} />
      </FormDialog>
    </>
  );
}

function SendForm({ brand, userId: user_id, onClose }: OfPlayer & { onClose(): void }) {
  const { message: words } = useWords(playerActions);
  const { common } = useText();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(empty);
  // A second press of the button, or a retry after a lost answer, must not send the message twice.
  const [key, setKey] = useState(newRequestKey);
  const change = (to: Partial<Typed>) => {
    send.reset();
    setKey(newRequestKey());
    setTyped((before) => ({ ...before, ...to }));
  };
  const send = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/players/{user_id}/messages', {
          params: { path: { brand, user_id } },
          headers: { 'Idempotency-Key': key },
          body: bodyOfMessage(typed) as never,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [brand, 'player', user_id] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  if (send.isSuccess) {
    const { state, reason } = send.data;
    return (
      <Stack role="status">
        <Fields
          of={[
            [words.result, <State key="state" of={state} />],
            [words.why, <Named key="reason" of={reason} />],
          ]}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => change({})}>
            {words.again}
          </Button>
          <Button onClick={onClose}>{common.close}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit}>
      <LeaveGuard isChanged={hasText(typed)} isSaving={send.isPending} />
      <Stack>
        <Text size="sm">{words.about}</Text>
        <MessageFields brand={brand} typed={typed} change={change} />
        <DialogEnd error={send.error} isBusy={send.isPending} onClose={onClose}>
          <Button type="submit" loading={send.isPending} disabled={!hasText(typed)}>
            {words.send}
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}
