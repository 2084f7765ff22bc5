import { Stack, Title } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { bulk } from '../../text/bulk.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Choice, FilterBar, useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, State } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';
import { type Action, isRunning } from './queries.ts';
import { reachedPlace } from './reached-place.ts';

const refreshMs = 2_000;
const states = ['sent', 'held', 'waiting', 'withheld', 'skipped', 'failed', 'listed'] as const;

/** The players of an action with their outcomes. The address contains the state and the reason. */
export function Reached({ brand, action }: { brand: string; action: Action }) {
  const { one: words } = useWords(bulk);
  const { common } = useText();
  const nameOf = useCode();
  const { filters } = useFilters();
  const { action_id, withheld } = action;
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        {words.players}
      </Title>
      <FilterBar>
        <Choice name="state" label={common.state} of={states} />
        {filters.state === 'withheld' && <Choice name="reason" label={common.reason} of={Object.keys(withheld)} />}
      </FilterBar>
      <List
        name={[brand, 'bulk-action', action_id, 'players', filters]}
        {...(isRunning(action) && { refreshMs })}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/bulk-actions/{action_id}/players', {
              params: { path: { brand, action_id }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ player_id }) => player_id}
        empty={action.state === 'gathering' ? words.notListed : words.noPlayers}
        columns={[
          { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
          { title: common.state, show: ({ state }) => <State of={state} /> },
          {
            title: common.reason,
            // The reason of a failure is a sentence, the others are codes.
            show: ({ state, reason }) => (reason === null ? common.none : state === 'failed' ? reason : nameOf(reason)),
          },
          {
            title: words.result,
            show: (reached) => {
              const place = reachedPlace(action, reached);
              if (place === undefined) return common.none;
              return <To {...place}>{reached.intent_id === null ? words.openMessage : words.openBonus}</To>;
            },
          },
          {
            title: words.decision,
            show: ({ user_id, decision_id }) =>
              decision_id === null ? (
                common.none
              ) : (
                <To to="compliance/decisions" search={{ user_id, row: String(decision_id) }}>
                  {words.decision}
                </To>
              ),
          },
          { title: common.when, show: ({ at }) => <Moment at={at} /> },
        ]}
      />
    </Stack>
  );
}
