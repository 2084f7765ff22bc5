import { Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { api, bodyOf } from '../../../api/client.ts';
import { playerActions } from '../../../text/player-actions.ts';
import { playerPage } from '../../../text/player-page.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { Sure, useAct } from '../../../ui/act.tsx';
import { List } from '../../../ui/list.tsx';
import { useMay } from '../../../ui/may.tsx';
import { To } from '../../../ui/to.tsx';
import { Moment, Named, StateWithReason } from '../../../ui/values.tsx';
import { CampaignLink } from '../../campaign-link.tsx';
import type { OfPlayer } from '../of-player.ts';

const refreshMs = 4_000;

const readSiteMessages = (brand: string, user_id: string, cursor: string | undefined) =>
  bodyOf(
    api.GET('/api/console/v1/brands/{brand}/players/{user_id}/messages', {
      params: { path: { brand, user_id }, query: cursor ? { cursor } : {} },
    }),
  );
type SiteMessage = Awaited<ReturnType<typeof readSiteMessages>>['items'][number];

/** The messages to a player on the site. A message that is not over can be recalled. */
export function SiteMessages({ brand, userId: user_id }: OfPlayer) {
  const { messages: words } = useWords(playerPage);
  const { common } = useText();
  const { message: actions } = useWords(playerActions);
  const mayRecall = useMay()('message.recall');
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
  return (
    <List
      name={[brand, 'player', user_id, 'messages']}
      refreshMs={refreshMs}
      read={(cursor) => readSiteMessages(brand, user_id, cursor)}
      keyOf={({ message_id }) => message_id}
      empty={words.none}
      detail={(message) => <SiteMessageText message={message} />}
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
        {
          title: words.decision,
          show: ({ decision_id }) =>
            decision_id === null ? (
              common.none
            ) : (
              <To to="compliance/decisions" search={{ user_id, row: String(decision_id) }}>
                {words.decision}
              </To>
            ),
        },
        ...(mayRecall
          ? [
              {
                title: common.actions,
                show: ({ message_id, title, state }: SiteMessage) =>
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
  );
}

/** The text of a message, its author, and when the player read and clicked it. */
function SiteMessageText({ message: shown }: { message: SiteMessage }) {
  const { messages: words } = useWords(playerPage);
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {shown.title}
      </Text>
      {[shown.preview_text, shown.message, shown.footer_text].filter(Boolean).map((text) => (
        <Text key={text} size="sm">
          {text}
        </Text>
      ))}
      <Text size="xs" c="dimmed">
        {words.by} {shown.created_by} · {words.read} <Moment at={shown.read_at} /> · <Named of="clicked" />{' '}
        <Moment at={shown.clicked_at} />
      </Text>
    </Stack>
  );
}
