import { Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { playerActions } from '../../text/player-actions.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { List, Rows } from '../../ui/list.tsx';
import { IfMay, useMay } from '../../ui/may.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named, State, StateWithReason } from '../../ui/values.tsx';
import { CampaignLink } from '../campaign-link.tsx';
import { sentMessageAddress } from '../messages/sent/address.ts';
import type { OfPlayer } from './of-player.ts';
import { SendMessage } from './send-message.tsx';

const refreshMs = 4_000;

/** The messages of all channels to one player, and the devices that receive push messages. */
export function Messages({ brand, userId: user_id }: OfPlayer) {
  const { messages: words } = useWords(playerPage);
  const { common } = useText();
  const { message: actions } = useWords(playerActions);
  const mayRecall = useMay()('message.recall');
  const path = { brand, user_id };
  const recall = useAct(
    (message_id: number) =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/messages/{message_id}/recall', {
          params: { path: { brand, message_id } },
        }),
      ),
    {
      touches: [brand, 'player', user_id],
      onDone: ({ recalled }) =>
        notifications.show({
          message: recalled ? actions.recalled : actions.unchanged,
          color: recalled ? 'green' : 'yellow',
        }),
    },
  );
  const devices = useQuery({
    queryKey: [brand, 'player', user_id, 'push-devices'],
    queryFn: () =>
      bodyOf(api.GET('/api/console/v1/brands/{brand}/players/{user_id}/push-devices', { params: { path } })),
  });
  const decision = (decision_id: number | null) =>
    decision_id === null ? (
      common.none
    ) : (
      <To to="compliance/decisions" search={{ user_id, row: String(decision_id) }}>
        {words.decision}
      </To>
    );
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={3} size="h5">
          {words.site}
        </Title>
        <IfMay permission="message.send">
          <SendMessage brand={brand} userId={user_id} />
        </IfMay>
      </Group>
      <List
        name={[brand, 'player', user_id, 'messages']}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/players/{user_id}/messages', {
              params: { path, query: cursor ? { cursor } : {} },
            }),
          )
        }
        keyOf={({ message_id }) => message_id}
        empty={words.none}
        detail={({ title, message, preview_text, footer_text, created_by, read_at, clicked_at }) => (
          <Stack gap={2}>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            {[preview_text, message, footer_text].filter(Boolean).map((text) => (
              <Text key={text} size="sm">
                {text}
              </Text>
            ))}
            <Text size="xs" c="dimmed">
              {words.by} {created_by} · {words.read} <Moment at={read_at} /> · <Named of="clicked" />{' '}
              <Moment at={clicked_at} />
            </Text>
          </Stack>
        )}
        columns={[
          { title: common.when, show: ({ created_at }) => <Moment at={created_at} /> },
          { title: words.title, show: ({ title, event }) => title || <Named of={event} /> },
          { title: words.channel, show: ({ channel }) => <Named of={channel} /> },
          {
            title: common.state,
            show: ({ state, reason }) => <StateWithReason state={state} reason={reason} />,
          },
          {
            title: words.campaign,
            show: ({ campaign_id }) => (campaign_id === null ? common.none : <CampaignLink code={campaign_id} />),
          },
          { title: words.read, show: ({ is_read }) => (is_read ? '✓' : common.none) },
          { title: words.decision, show: ({ decision_id }) => decision(decision_id) },
          ...(mayRecall
            ? [
                {
                  title: common.actions,
                  show: ({ message_id, title, state }: { message_id: number; title: string | null; state: string }) =>
                    state === 'live' || state === 'held' ? (
                      <Sure
                        size="compact-sm"
                        label={actions.recall}
                        about={actions.recallOf(title || String(message_id))}
                        text={actions.recallSure}
                        onSure={() => recall.mutate(message_id)}
                      />
                    ) : (
                      common.none
                    ),
                },
              ]
            : []),
        ]}
      />
      <Title order={3} size="h5">
        {words.elsewhere}
      </Title>
      <List
        scope="elsewhere"
        name={[brand, 'player', user_id, 'elsewhere']}
        refreshMs={refreshMs}
        // The timeline contains the messages of all channels. Those on the site are listed above.
        read={async (cursor) => {
          const { items, next } = await bodyOf(
            api.GET('/api/console/v1/brands/{brand}/players/{user_id}/timeline', {
              params: { path, query: { kind: 'message', limit: 200, bodies: false, ...(cursor && { cursor }) } },
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
      <Title order={3} size="h5">
        {words.devices}
      </Title>
      {devices.data?.items.length === 0 && <Text size="sm">{words.noDevices}</Text>}
      {devices.data !== undefined && devices.data.items.length > 0 && (
        <Rows
          items={devices.data.items}
          keyOf={({ subscription_id }) => subscription_id}
          columns={[
            { title: words.device, show: ({ host }) => host },
            { title: common.when, show: ({ created_at }) => <Moment at={created_at} /> },
            { title: words.seen, show: ({ seen_at }) => <Moment at={seen_at} /> },
          ]}
        />
      )}
    </Stack>
  );
}
