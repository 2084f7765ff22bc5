import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { playerSegmentsQuery } from '../../api/queries.ts';
import { useText } from '../../text/text.tsx';
import { Rows } from '../../ui/list.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, State } from '../../ui/values.tsx';
import { SegmentLink } from '../segment-link.tsx';
import { TransitionCause } from '../transition-cause.tsx';

export function PlayerSegments({ brand, userId }: { brand: string; userId: string }) {
  const { player, common, segments } = useText();
  const asked = useQuery(playerSegmentsQuery(brand, userId));
  if (asked.isPending) return <Loading />;
  if (asked.isLoadingError) return <Failed error={asked.error} onRetry={() => asked.refetch()} />;
  const { items, transitions, tags } = asked.data;
  return (
    <Stack>
      <Title order={3} size="h5">
        {player.memberOf}
      </Title>
      {items.length === 0 ? (
        <Empty>{player.noSegments}</Empty>
      ) : (
        <Rows
          items={items}
          keyOf={({ code }) => code}
          columns={[
            { title: player.segment, show: ({ code, name }) => <To to={`segments/${code}`}>{name}</To> },
            { title: player.memberSince, show: ({ since }) => <Moment at={since} /> },
          ]}
        />
      )}
      {tags.length > 0 && (
        <Group>
          <Text size="sm">{player.tags}</Text>
          {tags.map(({ tag }) => (
            <Badge key={tag} variant="outline" tt="none">
              {tag}
            </Badge>
          ))}
        </Group>
      )}
      <Title order={3} size="h5">
        {segments.rows.transitions}
      </Title>
      <Rows
        items={transitions}
        keyOf={({ transition_id }) => transition_id}
        columns={[
          { title: common.when, show: ({ at }) => <Moment at={at} /> },
          { title: player.segment, show: ({ code }) => <SegmentLink code={code} /> },
          { title: common.state, show: ({ transition }) => <State of={transition} label={player[transition]} /> },
          { title: common.reason, show: ({ cause }) => <TransitionCause cause={cause} /> },
        ]}
      />
    </Stack>
  );
}
