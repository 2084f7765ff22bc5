import { Alert, Badge, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { playerQuery } from '../../api/queries.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useFilters } from '../../ui/filters.tsx';
import { Money } from '../../ui/money.tsx';
import { useAddressPart, useBrand } from '../../ui/page.tsx';
import { TabRow } from '../../ui/tab-row.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, State } from '../../ui/values.tsx';
import { Bonuses } from './bonuses.tsx';
import { Carts } from './carts.tsx';
import { Contactability } from './contactability.tsx';
import { Details } from './details.tsx';
import { Lottery } from './lottery.tsx';
import { Messages } from './messages.tsx';
import { Payments } from './payments.tsx';
import { Play } from './play.tsx';
import { Protection } from './protection.tsx';
import { RefreshButton, RefreshResult, useRefresh } from './refresh.tsx';
import { Reveal } from './reveal.tsx';
import { Runs } from './runs.tsx';
import { PlayerSegments } from './segments.tsx';
import { Sports } from './sports.tsx';
import { Timeline } from './timeline.tsx';
import { Traits } from './traits.tsx';

type Tab = keyof (typeof playerPage)['en']['tabs'];

/** Everything about one player: whether the player may be contacted, what happened, and who the player is. */
export function Player() {
  const brand = useBrand();
  const userId = useAddressPart('userId');
  const words = useWords(playerPage);
  const { player: shared } = useText();
  const nameOf = useCode();
  const { filters, set } = useFilters();
  const player = useQuery(playerQuery(brand, userId));
  const { refreshing, ask } = useRefresh(brand, player.data);
  if (player.isPending) return <LoadingPage />;
  if (player.isLoadingError) return <FailedPage error={player.error} onRetry={() => player.refetch()} />;
  const { profile, blocks, sync, traits } = player.data;
  const name = [profile?.first_name, profile?.last_name].filter(Boolean).join(' ');
  const isMasked = name.includes('***');
  const protections = (['Excluded', 'Blocked'] as const).flatMap(
    (type) => blocks.find((block) => block.type === type && (block.active === true || block.in_doubt)) ?? [],
  );
  const tab = filters.tab !== undefined && filters.tab in words.tabs ? (filters.tab as Tab) : 'timeline';
  const tabs = (Object.keys(words.tabs) as Tab[]).map((value) => ({ value, label: words.tabs[value] }));
  const choose = (next: string | null) => set(next === null || next === 'timeline' ? {} : { tab: next });
  const panels: Record<Tab, React.ReactNode> = {
    timeline: <Timeline brand={brand} userId={userId} />,
    payments: <Payments brand={brand} userId={userId} />,
    play: <Play brand={brand} userId={userId} />,
    sports: <Sports brand={brand} userId={userId} />,
    lottery: <Lottery brand={brand} userId={userId} />,
    carts: <Carts brand={brand} userId={userId} />,
    bonuses: <Bonuses brand={brand} userId={userId} />,
    messages: <Messages brand={brand} userId={userId} />,
    protection: <Protection brand={brand} player={player.data} userId={userId} />,
    segments: <PlayerSegments brand={brand} userId={userId} />,
    runs: <Runs brand={brand} userId={userId} />,
    traits: <Traits traits={traits} />,
    details: (
      <Reveal brand={brand} userId={userId}>
        {(revealed) => (
          <Details player={revealed === undefined ? player.data : { ...player.data, profile: revealed.profile }} />
        )}
      </Reveal>
    ),
  };
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start">
        <Stack gap={2}>
          <Group gap="sm">
            <Title order={2}>{userId}</Title>
            {name !== '' && !isMasked && (
              <Text size="xl" c="dimmed">
                {name}
              </Text>
            )}
            {profile?.country && <Badge variant="outline">{profile.country}</Badge>}
            {sync.state !== 'current' && <State of={sync.state} />}
          </Group>
          <Group gap="lg">
            <Figure name={words.deposits}>
              <Money of={traits.deposit_sum?.value as string | null} currency={traits.deposit_sum?.unit} />
            </Figure>
            <Figure name={words.ngr}>
              <Money of={traits.ngr?.value as string | null} currency={traits.ngr?.unit} isResult />
            </Figure>
            <Figure name={words.lastSeen}>
              <Moment at={traits.last_event_at?.value as string | null} />
            </Figure>
          </Group>
        </Stack>
        <RefreshButton refreshing={refreshing} onAsk={ask} />
      </Group>
      {protections.map(({ type, as_of, note, source }) => (
        <Alert
          key={type}
          color={type === 'Excluded' ? 'red' : 'orange'}
          variant="filled"
          icon={<IconLock />}
          role="alert"
          title={type === 'Excluded' ? shared.excluded : shared.blocked}
        >
          {source !== null && <>{nameOf(source)}, </>}
          <Moment at={as_of} />
          {note && (
            <>
              . {words.note}: {note}
            </>
          )}
        </Alert>
      ))}
      <RefreshResult refreshing={refreshing} />
      <Contactability brand={brand} userId={userId} />
      <Tabs value={tab} onChange={choose}>
        <TabRow tabs={tabs} active={tab} onChoose={choose} />
        <Tabs.Panel value={tab} pt="md">
          {panels[tab]}
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <Text size="sm">
      <Text span c="dimmed" size="sm">
        {name}{' '}
      </Text>
      {children}
    </Text>
  );
}
