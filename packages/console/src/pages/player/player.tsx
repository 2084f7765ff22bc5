import { Alert, Badge, Button, Group, Stack, Tabs, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLock, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { playerQuery } from '../../api/queries.ts';
import { personal } from '../../text/personal.ts';
import { useText, useWords } from '../../text/text.tsx';
import { IfMay } from '../../ui/may.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { State } from '../../ui/values.tsx';
import { Contactability } from './contactability.tsx';
import { Personal } from './personal.tsx';
import { Protection } from './protection.tsx';
import { Runs } from './runs.tsx';
import { PlayerSegments } from './segments.tsx';
import { Timeline } from './timeline.tsx';
import { Traits } from './traits.tsx';

/** Everything about one player: may we write, what happened, who they are. */
export function Player() {
  const { brand, userId } = useParams({ from: '/$brand/players/$userId' });
  const { player: words } = useText();
  const personalWords = useWords(personal);
  const queries = useQueryClient();
  const player = useQuery(playerQuery(brand, userId));
  const refresh = useMutation({
    mutationFn: () =>
      api.POST('/api/console/v1/brands/{brand}/players/{user_id}/refresh', {
        params: { path: { brand, user_id: userId } },
      }),
    onSuccess: async () => {
      notifications.show({ message: words.refreshed, color: 'green' });
      await queries.invalidateQueries({ queryKey: [brand, 'player', userId] });
    },
    onError: ({ message }) => notifications.show({ message, color: 'red' }),
  });
  if (player.isPending) return <Loading />;
  if (player.isError) return <Failed error={player.error} onRetry={() => player.refetch()} />;
  const { profile, blocks, sync } = player.data;
  const name = [profile?.first_name, profile?.last_name].filter(Boolean).join(' ');
  const isBlocked = (type: string) => blocks.some((one) => one.type === type && one.active === true);
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Group>
          <Title order={2}>{userId}</Title>
          {name !== '' && <Title order={3}>{name}</Title>}
          {profile?.country && <Badge variant="outline">{profile.country}</Badge>}
          <State of={sync.state} />
        </Group>
        <IfMay permission="player.refresh">
          <Button
            variant="light"
            leftSection={<IconRefresh size={16} />}
            loading={refresh.isPending}
            onClick={() => refresh.mutate()}
          >
            {words.refresh}
          </Button>
        </IfMay>
      </Group>
      {isBlocked('Excluded') && (
        <Alert color="red" variant="filled" icon={<IconLock />} role="alert">
          {words.excluded}
        </Alert>
      )}
      {isBlocked('Blocked') && (
        <Alert color="orange" variant="filled" icon={<IconLock />} role="alert">
          {words.blocked}
        </Alert>
      )}
      <Contactability brand={brand} userId={userId} />
      <Tabs defaultValue="timeline" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="timeline">{words.timeline}</Tabs.Tab>
          <Tabs.Tab value="segments">{words.segments}</Tabs.Tab>
          <Tabs.Tab value="runs">{words.runs}</Tabs.Tab>
          <Tabs.Tab value="traits">{words.traits}</Tabs.Tab>
          <Tabs.Tab value="consents">{words.consents}</Tabs.Tab>
          <Tabs.Tab value="personal">{personalWords.tab}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="timeline" pt="md">
          <Timeline brand={brand} userId={userId} />
        </Tabs.Panel>
        <Tabs.Panel value="segments" pt="md">
          <PlayerSegments brand={brand} userId={userId} />
        </Tabs.Panel>
        <Tabs.Panel value="runs" pt="md">
          <Runs brand={brand} userId={userId} />
        </Tabs.Panel>
        <Tabs.Panel value="traits" pt="md">
          <Traits traits={player.data.traits} />
        </Tabs.Panel>
        <Tabs.Panel value="consents" pt="md">
          <Protection player={player.data} />
        </Tabs.Panel>
        <Tabs.Panel value="personal" pt="md">
          <Personal brand={brand} userId={userId} profile={profile} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
