import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { campaignPage } from '../../text/campaign-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { DialogEnd } from '../../ui/dialog-end.tsx';
import { PlayerLink } from '../player-link.tsx';

interface EnterPlayerProps {
  brand: string;
  code: string;
  /** Opens the list of runs, which shows the player's run. */
  showRuns(): void;
}

/** A button with a dialog that enters one player into a live campaign whose entry is a call. */
export function EnterPlayer(props: EnterPlayerProps) {
  const { enter: words } = useWords(campaignPage);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="light" aria-haspopup="dialog" onClick={open}>
        {words.open}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.open}>
        <EnterForm {...props} onClose={close} />
      </Modal>
    </>
  );
}

function EnterForm({ brand, code, showRuns, onClose }: EnterPlayerProps & { onClose(): void }) {
  const { enter: words } = useWords(campaignPage);
  const { common } = useText();
  const [userId, setUserId] = useState('');
  // A retry after a lost answer has the same key, so the player does not enter twice.
  const [key] = useState(newRequestKey);
  const queries = useQueryClient();
  const enter = useMutation({
    mutationFn: (user_id: string) =>
      api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/enter', {
        params: { path: { brand, code } },
        body: { user_id, key: `console ${key}` },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [brand, 'campaign', code] }),
  });
  const user_id = userId.trim();
  if (enter.isSuccess)
    return (
      <Stack role="status">
        <Text size="sm">
          {words.done} <PlayerLink brand={brand} userId={user_id} />
        </Text>
        <Text size="sm">{words.next}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.close}
          </Button>
          <Button
            data-autofocus
            onClick={() => {
              onClose();
              showRuns();
            }}
          >
            {words.showRuns}
          </Button>
        </Group>
      </Stack>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        enter.mutate(user_id);
      }}
    >
      <Stack>
        <Text size="sm">{words.about}</Text>
        <TextInput
          label={words.player}
          required
          data-autofocus
          value={userId}
          onChange={({ currentTarget }) => setUserId(currentTarget.value)}
        />
        <Text size="sm">{words.sure}</Text>
        <DialogEnd error={enter.error} isBusy={enter.isPending} onClose={onClose}>
          <Button type="submit" disabled={user_id === ''} loading={enter.isPending}>
            {words.do}
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}
