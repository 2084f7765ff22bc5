import { Group, Stack, Title } from '@mantine/core';
import { playerPage } from '../../text/player-page.ts';
import { useWords } from '../../text/text.tsx';
import { IfMay } from '../../ui/may.tsx';
import { MessagesElsewhere } from './messages/messages-elsewhere.tsx';
import { PushDevices } from './messages/push-devices.tsx';
import { SiteMessages } from './messages/site-messages.tsx';
import type { OfPlayer } from './of-player.ts';
import { SendMessage } from './send-message.tsx';

/** The messages of all channels to one player, and the devices that receive push messages. */
export function Messages({ brand, userId }: OfPlayer) {
  const { messages: words } = useWords(playerPage);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={3} size="h5">
          {words.site}
        </Title>
        <IfMay permission="message.send">
          <SendMessage brand={brand} userId={userId} />
        </IfMay>
      </Group>
      <SiteMessages brand={brand} userId={userId} />
      <Title order={3} size="h5">
        {words.elsewhere}
      </Title>
      <MessagesElsewhere brand={brand} userId={userId} />
      <Title order={3} size="h5">
        {words.devices}
      </Title>
      <PushDevices brand={brand} userId={userId} />
    </Stack>
  );
}
