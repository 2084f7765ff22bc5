import { api, bodyOf } from '../../../api/client.ts';
import { playerPage } from '../../../text/player-page.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { List } from '../../../ui/list.tsx';
import { To } from '../../../ui/to.tsx';
import { Moment, Named, State } from '../../../ui/values.tsx';
import { CampaignLink } from '../../campaign-link.tsx';
import { sentMessageAddress } from '../../messages/sent/address.ts';
import type { OfPlayer } from '../of-player.ts';

const refreshMs = 4_000;

/** The messages to a player on all channels except the site. */
export function MessagesElsewhere({ brand, userId: user_id }: OfPlayer) {
  const { messages: words } = useWords(playerPage);
  const { common } = useText();
  return (
    <List
      scope="elsewhere"
      name={[brand, 'player', user_id, 'elsewhere']}
      refreshMs={refreshMs}
      // The timeline contains the messages of all channels. Those on the site are in their own list.
      read={async (cursor) => {
        const { items, next } = await bodyOf(
          api.GET('/api/console/v1/brands/{brand}/players/{user_id}/timeline', {
            params: {
              path: { brand, user_id },
              query: { kind: 'message', limit: 200, bodies: false, ...(cursor && { cursor }) },
            },
          }),
        );
        return {
          items: items.flatMap((item) => (item.type === 'message' && item.is_read === null ? item : [])),
          next,
        };
      }}
      keyOf={({ message_id, channel }) => `${channel} ${message_id}`}
      empty={words.noElsewhere}
      columns={[
        { title: common.when, sort: { name: 'at', of: ({ at }) => at }, show: ({ at }) => <Moment at={at} /> },
        {
          title: words.channel,
          sort: { name: 'channel', of: ({ channel }) => channel },
          show: ({ channel }) => <Named of={channel} />,
        },
        {
          title: words.title,
          show: ({ channel, message_id }) => {
            const address = sentMessageAddress(channel, message_id);
            return address === undefined ? common.none : <To to={address}>{words.open}</To>;
          },
        },
        { title: common.state, show: ({ state }) => <State of={state} /> },
        { title: common.reason, show: ({ reason }) => <Named of={reason} /> },
        {
          title: words.campaign,
          show: ({ campaign_id }) => (campaign_id === null ? common.none : <CampaignLink code={campaign_id} />),
        },
      ]}
    />
  );
}
