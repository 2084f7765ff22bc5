import { Group, Stack, Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { List } from '../../ui/list.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, State } from '../../ui/values.tsx';
import { useNames } from './use-names.ts';

const refreshMs = 2_000;

/** The campaigns that a player has entered, and each step of a run with its result. */
export function Runs({ brand, userId }: { brand: string; userId: string }) {
  const { player, common, campaigns } = useText();
  const naming = useNames();
  const nameOf = useCode();
  return (
    <List
      name={[brand, 'player', userId, 'runs']}
      refreshMs={refreshMs}
      read={(cursor) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/players/{user_id}/runs', {
            params: { path: { brand, user_id: userId }, query: cursor ? { cursor } : {} },
          }),
        )
      }
      keyOf={({ run_id }) => run_id}
      empty={player.noRuns}
      detail={({ steps }) => <Steps steps={steps} userId={userId} />}
      columns={[
        {
          title: common.name,
          show: ({ campaign, version }) => (
            <Text size="sm">
              <To to={`campaigns/${campaign}`}>{naming({ campaign })}</To> ({common.version} {version})
            </Text>
          ),
        },
        {
          title: common.state,
          show: ({ state, reason }) => (
            <Group gap="xs">
              <State of={state} place="run" />
              {reason !== null && (
                <Text size="xs" c="dimmed">
                  {nameOf(reason)}
                </Text>
              )}
            </Group>
          ),
        },
        { title: common.when, show: ({ entered_at }) => <Moment at={entered_at} /> },
        { title: campaigns.steps, align: 'right', show: ({ steps }) => steps.length },
      ]}
    />
  );
}

interface Step {
  id: string;
  state: string;
  at: string;
  reason: string | null;
  effect: { message_id?: number; intent_id?: string } | null;
}

function Steps({ steps, userId }: { steps: readonly Step[]; userId: string }) {
  const { player } = useText();
  const nameOf = useCode();
  if (steps.length === 0) return <Text size="sm">{player.noSteps}</Text>;
  return (
    <Stack gap="xs">
      {steps.map(({ id, state, at, reason, effect }) => (
        <Group key={`${id} ${state} ${at}`} gap="xs">
          <Moment at={at} />
          <Text size="sm" fw={500}>
            {id}
          </Text>
          <State of={state} place="run" />
          {reason !== null && (
            <Text size="xs" c="dimmed">
              {nameOf(reason)}
            </Text>
          )}
          {effect?.message_id !== undefined && (
            <To
              to={`players/${encodeURIComponent(userId)}`}
              search={{ tab: 'messages', row: String(effect.message_id) }}
            >
              {nameOf('message')}
            </To>
          )}
          {effect?.intent_id !== undefined && (
            <To to={`rewards/intents/${effect.intent_id}`}>{nameOf('bonus_intent')}</To>
          )}
        </Group>
      ))}
    </Stack>
  );
}
