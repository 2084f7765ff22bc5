import { Alert, Button, Card, Group, Modal, Stack, Tabs, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconLock } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../api/client.ts';
import { campaignQuery, campaignResultsQuery } from '../api/queries.ts';
import { useText } from '../text/text.tsx';
import { List, Rows } from '../ui/list.tsx';
import { IfMay } from '../ui/may.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Moment, State, useNumber } from '../ui/values.tsx';
import { DocumentEditor } from './campaign/document-editor.tsx';
import type { Draft } from './campaign/edits.ts';
import { PlayerLink } from './players.tsx';

const refreshMs = 2_000;
type Action = 'pause' | 'resume' | 'stop';

/** One campaign: where its players are, step by step, and what may be done with it. */
export function Campaign() {
  const { brand, code } = useParams({ from: '/$brand/campaigns/$code' });
  const { campaigns: words, common } = useText();
  const number = useNumber();
  const campaign = useQuery(campaignQuery(brand, code));
  const results = useQuery(campaignResultsQuery(brand, code));
  const queries = useQueryClient();
  const [isAsking, { open, close }] = useDisclosure();
  const act = useMutation({
    mutationFn: (action: Action) =>
      api.POST(`/api/console/v1/brands/{brand}/campaigns/{code}/${action}`, { params: { path: { brand, code } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [brand, 'campaign', code] }),
    onError: ({ message }) => notifications.show({ message, color: 'red' }),
    onSettled: close,
  });
  if (campaign.isPending) return <Loading />;
  if (campaign.isError) return <Failed error={campaign.error} onRetry={() => campaign.refetch()} />;
  const { name, state, reason, share, entered, running, draft, document } = campaign.data;
  const isRunning = state === 'live' || state === 'paused';
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Group>
          <Title order={2}>{name}</Title>
          <State of={state} />
          <Text c="dimmed" size="sm">
            {words.share} {share} %
          </Text>
        </Group>
        <IfMay permission="campaign.manage">
          <Group>
            {state === 'live' && (
              <Button variant="light" onClick={() => act.mutate('pause')}>
                {words.pause}
              </Button>
            )}
            {state === 'paused' && (
              <Button variant="light" onClick={() => act.mutate('resume')}>
                {words.resume}
              </Button>
            )}
            {isRunning && (
              <Button variant="light" color="red" onClick={open}>
                {words.stop}
              </Button>
            )}
          </Group>
        </IfMay>
      </Group>
      {reason !== null && <Alert color="yellow">{reason}</Alert>}
      <Card withBorder>
        <Group gap="xl">
          <Text className="figure">
            <b>{number(entered)}</b> {words.entered}
          </Text>
          <Text className="figure">
            <b>{number(running)}</b> {words.running}
          </Text>
          <Group gap={6}>
            <IconLock size={16} aria-hidden />
            <Text size="sm" c="dimmed">
              {words.locked}
            </Text>
          </Group>
        </Group>
      </Card>
      <Tabs defaultValue={entered === 0 ? 'document' : 'counts'} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="counts">{words.counts}</Tabs.Tab>
          <Tabs.Tab value="runs">{words.runs}</Tabs.Tab>
          <Tabs.Tab value="document">{words.document}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="counts" pt="md">
          <Rows
            items={results.data?.steps ?? []}
            keyOf={(one) => JSON.stringify(one)}
            columns={[
              { title: words.step, show: ({ step }) => step },
              { title: common.state, show: ({ state: stood }) => <State of={stood} /> },
              { title: common.reason, show: (one) => one.reason?.replaceAll('_', ' ') ?? common.none },
              { title: common.version, align: 'right', show: ({ version }) => version },
              { title: words.count, align: 'right', show: ({ count }) => number(count) },
            ]}
          />
        </Tabs.Panel>
        <Tabs.Panel value="runs" pt="md">
          <List
            name={[brand, 'campaign', code, 'runs']}
            refreshMs={refreshMs}
            read={(cursor) =>
              bodyOf(
                api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/runs', {
                  params: { path: { brand, code }, query: cursor ? { cursor } : {} },
                }),
              )
            }
            keyOf={({ run_id }) => run_id}
            empty={words.noRuns}
            columns={[
              { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
              { title: common.state, show: ({ state: stood }) => <State of={stood} /> },
              { title: words.step, show: ({ step }) => step ?? common.none },
              { title: common.reason, show: (run) => run.reason?.replaceAll('_', ' ') ?? common.none },
              { title: common.when, show: ({ entered_at }) => <Moment at={entered_at} /> },
            ]}
          />
        </Tabs.Panel>
        <Tabs.Panel value="document" pt="md" keepMounted>
          <DocumentEditor
            key={code}
            brand={brand}
            code={code}
            document={(draft?.document ?? document) as unknown as Draft}
            hasDraft={draft !== null}
          />
        </Tabs.Panel>
      </Tabs>
      <Modal opened={isAsking} onClose={close} title={words.stop}>
        <Stack>
          <Text>{words.stopSure}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {common.cancel}
            </Button>
            <Button color="red" loading={act.isPending} onClick={() => act.mutate('stop')}>
              {words.stop}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Stack>
  );
}
