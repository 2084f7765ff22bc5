import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';
import { playerPage } from '../../../text/player-page.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { Rows } from '../../../ui/list.tsx';
import { Moment } from '../../../ui/values.tsx';
import type { OfPlayer } from '../of-player.ts';

/** The devices of a player that receive push messages. */
export function PushDevices({ brand, userId: user_id }: OfPlayer) {
  const { messages: words } = useWords(playerPage);
  const { common } = useText();
  const devices = useQuery({
    queryKey: [brand, 'player', user_id, 'push-devices'],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/players/{user_id}/push-devices', {
          params: { path: { brand, user_id } },
        }),
      ),
  });
  if (devices.data === undefined) return null;
  const { items } = devices.data;
  if (items.length === 0) return <Text size="sm">{words.noDevices}</Text>;
  return (
    <Rows
      items={items}
      keyOf={({ subscription_id }) => subscription_id}
      columns={[
        { title: words.device, show: ({ host }) => host },
        { title: common.when, show: ({ created_at }) => <Moment at={created_at} /> },
        { title: words.seen, show: ({ seen_at }) => <Moment at={seen_at} /> },
      ]}
    />
  );
}
