import { Button, Checkbox, Group, Progress, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, State, useNumber } from '../../ui/values.tsx';

const refreshMs = 2_000;

/** Recomputations of the derived state from the events. */
export function Rebuilds() {
  const brand = useBrand();
  const { rebuilds: words } = useWords(integration);
  const title = useWords(places).pages.rebuilds;
  const { common } = useText();
  const number = useNumber();
  const may = useMay()('state.rebuild');
  const [userId, setUserId] = useState('');
  const [swap, setSwap] = useState(false);
  const path = { brand };
  const touches = [brand, 'rebuilds'];
  const start = useAct(
    () =>
      api.POST('/api/console/v1/brands/{brand}/rebuilds', {
        params: { path },
        body: { swap, ...(userId.trim() !== '' && { user_id: userId.trim() }) },
      }),
    { touches, done: words.started },
  );
  return (
    <Page title={title} about={words.about}>
      {may && (
        <Group align="flex-end">
          <TextInput
            label={words.player}
            value={userId}
            w={280}
            onChange={({ currentTarget }) => setUserId(currentTarget.value)}
          />
          <Checkbox
            label={words.swap}
            checked={swap}
            onChange={({ currentTarget }) => setSwap(currentTarget.checked)}
            pb={8}
          />
          {swap ? (
            <Sure
              variant="filled"
              color="red"
              label={words.start}
              text={words.swapSure}
              loading={start.isPending}
              onSure={() => start.mutate()}
            />
          ) : (
            <Button loading={start.isPending} onClick={() => start.mutate()}>
              {words.start}
            </Button>
          )}
        </Group>
      )}
      <List
        name={touches}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/rebuilds', {
              params: { path, query: cursor ? { cursor } : {} },
            }),
          )
        }
        keyOf={({ rebuild_id }) => rebuild_id}
        empty={words.none}
        columns={[
          {
            title: words.of,
            show: ({ rebuild_id, user_id }) => (
              <To to={`integration/rebuilds/${rebuild_id}`}>{user_id ?? words.wholeBrand}</To>
            ),
          },
          { title: common.state, show: ({ phase, outcome }) => <State of={outcome ?? phase} /> },
          {
            title: words.buckets,
            show: ({ buckets }) => (
              <>
                <Progress value={(buckets.done / Math.max(1, buckets.of)) * 100} size="sm" aria-label={words.buckets} />
                <Text size="xs">{words.parts(number(buckets.done), number(buckets.of))}</Text>
              </>
            ),
          },
          { title: words.players, align: 'right', show: ({ players }) => number(players) },
          { title: words.differences, align: 'right', show: ({ differences }) => number(differences) },
          { title: words.requested, show: ({ requested_at }) => <Moment at={requested_at} /> },
          { title: words.finished, show: ({ finished_at }) => <Moment at={finished_at} /> },
        ]}
      />
    </Page>
  );
}
