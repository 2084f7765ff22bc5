import { Stack } from '@mantine/core';
import { api, bodyOf } from '../../../api/client.ts';
import { sentMessages } from '../../../text/sent-messages.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { Fields } from '../../../ui/fields.tsx';
import { Choice, FilterBar, useFilters } from '../../../ui/filters.tsx';
import { List } from '../../../ui/list.tsx';
import { useBrand } from '../../../ui/page.tsx';
import { PlayerFilter } from '../../../ui/player-filter.tsx';
import { Empty } from '../../../ui/states.tsx';
import { To } from '../../../ui/to.tsx';
import { Moment, StateWithReason, useNumber } from '../../../ui/values.tsx';
import { PlayerLink } from '../../player-link.tsx';
import { pushReasons } from './push-reasons.ts';

const refreshMs = 4_000;
const states = ['waiting', 'sending', 'sent', 'unknown', 'dropped', 'failed'] as const;

/** The pushes: one entry per message and device, with what the push service answered. */
export function Pushes() {
  const brand = useBrand();
  const words = useWords(sentMessages);
  const { common } = useText();
  const number = useNumber();
  const { filters: all } = useFilters();
  const filters = {
    ...(all.user_id !== undefined && { user_id: all.user_id }),
    ...(all.state !== undefined && { state: all.state as (typeof states)[number] }),
    ...(all.reason !== undefined && { reason: all.reason }),
  };
  return (
    <Stack gap="lg">
      <FilterBar keeps={['list']}>
        <PlayerFilter />
        <Choice name="state" label={common.state} of={states} />
        <Choice name="reason" label={common.reason} of={pushReasons} namesIn="push" />
      </FilterBar>
      <List
        name={[brand, 'push-deliveries', filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/push-deliveries', {
              params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ delivery_id }) => delivery_id}
        empty={
          Object.keys(filters).length === 0 ? (
            <Empty next={<To to="settings/push">{words.toPushKeys}</To>}>{words.noPushes}</Empty>
          ) : (
            common.noMatch
          )
        }
        detail={({ status, detail, sent_at, due_at, ended_at, expires_at, clicked_at }) => (
          <Fields
            of={[
              [words.answer, [status === null ? '' : String(status), detail].filter(Boolean).join(' ') || common.none],
              [words.lastCall, <Moment key="sent" at={sent_at} />],
              ...(due_at === null ? [] : ([[words.due, <Moment key="due" at={due_at} />]] as const)),
              [words.ended, <Moment key="ended" at={ended_at} />],
              [words.clicked, <Moment key="clicked" at={clicked_at} />],
              [words.expires, <Moment key="expires" at={expires_at} />],
            ]}
          />
        )}
        columns={[
          { title: common.when, show: ({ created_at }) => <Moment at={created_at} /> },
          { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
          {
            title: words.message,
            show: ({ user_id, message_id }) =>
              user_id === null ? (
                String(message_id)
              ) : (
                <To to={`players/${encodeURIComponent(user_id)}`} search={{ tab: 'messages', row: String(message_id) }}>
                  {message_id}
                </To>
              ),
          },
          { title: words.pushService, show: ({ host }) => host ?? common.none },
          {
            title: common.state,
            show: ({ state, reason }) => <StateWithReason state={state} reason={reason} place="push" />,
          },
          { title: words.tries, align: 'right', show: ({ attempts }) => number(attempts) },
        ]}
      />
    </Stack>
  );
}
