import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useAct } from '../../ui/act.tsx';
import type { OfPlayer } from './of-player.ts';

const consentTypes = ['Email', 'SMS', 'Telephone', 'PostMail', 'SiteNotification', 'PushNotification'] as const;
const blockTypes = ['Excluded', 'Blocked'] as const;

interface ChangeProtectionProps extends OfPlayer {
  /** Type of a consent or of a block. */
  type: string;
  /** Whether the consent is given, or the block is in force. Null if it is unknown. */
  is: boolean | null;
}

/**
 * A button that gives or withdraws a consent, or sets or removes a block, for a reason. Types that the interface does not define
 * have no button, because only the operator can change them.
 */
export function ChangeProtection({ brand, userId, type, is }: ChangeProtectionProps) {
  const { protection: words } = useWords(playerPage);
  const { common } = useText();
  const nameOf = useCode();
  const [isOpen, { open, close }] = useDisclosure();
  const [note, setNote] = useState('');
  const consent = consentTypes.find((one) => one === type);
  const block = blockTypes.find((one) => one === type);
  const to = is !== true;
  const change = useAct(
    async () => {
      const params = { path: { brand, user_id: userId } };
      if (consent !== undefined) {
        const body = { changes: [{ type: consent, opted_in: to }], note };
        await bodyOf(api.POST('/api/console/v1/brands/{brand}/players/{user_id}/consents', { params, body }));
      } else if (block !== undefined) {
        const body = { type: block, active: to, note };
        await bodyOf(api.POST('/api/console/v1/brands/{brand}/players/{user_id}/blocks', { params, body }));
      }
    },
    {
      touches: [brand, 'player', userId],
      done: words.changed,
      onDone: () => {
        setNote('');
        close();
      },
    },
  );
  if (consent === undefined && block === undefined) return common.none;
  const actions = consent === undefined ? words.ofBlock : words.ofConsent;
  const label = to ? actions.to : actions.from;
  const title = `${label}: ${nameOf(type)}`;
  return (
    <>
      <Button size="compact-sm" variant="default" aria-haspopup="dialog" aria-label={title} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate();
          }}
        >
          <Stack>
            <Text size="sm">{to ? actions.toAbout : actions.fromAbout}</Text>
            <Textarea
              label={words.why}
              required
              maxLength={2000}
              value={note}
              onChange={({ currentTarget }) => setNote(currentTarget.value)}
              data-autofocus
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {common.cancel}
              </Button>
              <Button type="submit" loading={change.isPending} disabled={note.trim() === ''}>
                {label}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
