import { Group, Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import { List } from '../../ui/list.tsx';
import { Moment, State } from '../../ui/values.tsx';

const refreshMs = 2_000;
const pageSize = 50;

type Entry = Awaited<ReturnType<typeof readTimeline>>['items'][number];

function readTimeline(brand: string, user_id: string, cursor: string | undefined) {
  return bodyOf(
    api.GET('/api/console/v1/brands/{brand}/players/{user_id}/timeline', {
      params: { path: { brand, user_id }, query: { limit: pageSize, bodies: false, ...(cursor && { cursor }) } },
    }),
  );
}

/** Events, look-ups, changes, messages, bonuses and segments of a player in one line, the newest first. */
export function Timeline({ brand, userId }: { brand: string; userId: string }) {
  const { player, common } = useText();
  return (
    <List
      name={[brand, 'player', userId, 'timeline']}
      read={(cursor) => readTimeline(brand, userId, cursor)}
      keyOf={(entry) => JSON.stringify(entry)}
      refreshMs={refreshMs}
      empty={player.noEvents}
      columns={[
        { title: common.when, show: ({ at }) => <Moment at={at} /> },
        { title: common.what, show: (entry) => <Line entry={entry} /> },
      ]}
    />
  );
}

function Line({ entry }: { entry: Entry }) {
  const { kind, what, state, why } = lineOf(entry);
  return (
    <Group gap="xs" className="timeline-line">
      <Text size="sm" fw={500}>
        {kind.replaceAll('_', ' ')}
      </Text>
      <Text size="sm">{what}</Text>
      {state !== undefined && <State of={state} />}
      {why && (
        <Text size="xs" c="dimmed">
          {why}
        </Text>
      )}
    </Group>
  );
}

interface LineWords {
  kind: string;
  what: string;
  state?: string;
  why?: string | null;
}

function lineOf(entry: Entry): LineWords {
  switch (entry.type) {
    case 'event': {
      const state = entry.verdict === 'applied' ? {} : { state: entry.verdict };
      return { kind: entry.kind, what: entry.summary ?? '', ...state };
    }
    case 'refresh':
      return { kind: entry.look_up, what: '', state: entry.outcome, why: entry.reason };
    case 'change':
      return { kind: entry.changed, what: entry.wanted ? '✓' : '✗', state: entry.state, why: entry.source };
    case 'transition':
      return { kind: entry.kind, what: entry.consent_type ?? '', why: entry.source };
    case 'bonus_intent':
      return {
        kind: 'bonus',
        what: [entry.bonus_code, entry.amount, entry.currency].filter(Boolean).join(' '),
        state: entry.state,
        why: entry.reason,
      };
    case 'message':
      return { kind: `${entry.channel} message`, what: entry.event ?? '', state: entry.state, why: entry.reason };
    case 'run':
      return { kind: 'campaign', what: entry.campaign, state: entry.state, why: entry.reason ?? entry.cause };
    case 'segment':
      return { kind: 'segment', what: entry.code, state: entry.transition, why: entry.cause.type };
    default:
      return { kind: entry.type, what: Object.values(entry).slice(2).join(' ') };
  }
}
