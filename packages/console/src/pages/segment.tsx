import { Alert, Button, Card, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../api/client.ts';
import { segmentQuery } from '../api/queries.ts';
import { useText } from '../text/text.tsx';
import { useCode } from '../text/use-code.ts';
import { useAct } from '../ui/act.tsx';
import { useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { IfMay } from '../ui/may.tsx';
import { MoreMenu } from '../ui/more-menu.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Moment, State, useNumber } from '../ui/values.tsx';
import { PlayerLink } from './players.tsx';
import { useSentence } from './rule/use-rule-fields.ts';
import { SegmentOverlap } from './segment-overlap.tsx';
import { SegmentList, SegmentRule } from './segment-rule.tsx';
import { causeWords, SegmentUses } from './segment-uses.tsx';
import { SegmentVersions } from './segment-versions.tsx';
import { TransitionsChart } from './transitions-chart.tsx';

const refreshMs = 2_000;
const tabs = ['members', 'transitions', 'rule', 'versions', 'overlap'] as const;

/** One segment: its sentence, its members, and recent transitions. */
export function Segment() {
  const { brand, code } = useParams({ from: '/$brand/segments/$code' });
  const { segments: words, common, player } = useText();
  const number = useNumber();
  const { filters, change } = useFilters();
  const tab = tabs.find((one) => one === filters.tab) ?? 'members';
  const sentenceOf = useSentence();
  const codeName = useCode();
  const segment = useQuery(segmentQuery(brand, code));
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: (action: 'pause' | 'resume' | 'freeze' | 'recompute') =>
      api.POST(`/api/console/v1/brands/{brand}/segments/{code}/${action}`, { params: { path: { brand, code } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [brand, 'segment', code] }),
    onError: ({ message }) => notifications.show({ message, color: 'red' }),
  });
  const navigate = useNavigate();
  const remove = useAct(
    () => api.DELETE('/api/console/v1/brands/{brand}/segments/{code}', { params: { path: { brand, code } } }),
    {
      touches: [brand, 'segments'],
      deletes: [brand, 'segment', code],
      onDone: () => navigate({ to: '/$brand/segments', params: { brand } }),
    },
  );
  if (segment.isPending) return <Loading />;
  if (segment.isError) return <Failed error={segment.error} onRetry={() => segment.refetch()} />;
  const {
    name,
    sentence,
    state,
    reason,
    members,
    protected: left_out,
    used_by,
    campaigns,
    rule,
    version,
    draft,
  } = segment.data;
  // Taken from the draft even if it has no rule: the draft of a frozen segment is a list.
  const editable = draft === null ? rule : draft.rule;
  const path = { brand, code };
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Group>
          <Title order={2}>{name}</Title>
          <State of={state} />
          <Text c="dimmed" size="sm">
            {common.version} {version}
          </Text>
        </Group>
        <Group>
          <IfMay permission="segment.manage">
            {state === 'paused' ? (
              <Button variant="default" onClick={() => act.mutate('resume')}>
                {words.resume}
              </Button>
            ) : (
              <Button variant="default" onClick={() => act.mutate('pause')} disabled={state !== 'live'}>
                {words.pause}
              </Button>
            )}
          </IfMay>
          <IfMay permission="list.export">
            <Button
              component="a"
              variant="default"
              href={`/api/console/v1/brands/${brand}/segments/${code}/members.csv`}
            >
              {words.exportCsv}
            </Button>
          </IfMay>
          <IfMay permission="segment.manage">
            <MoreMenu
              actions={[
                { label: words.recompute, isDisabled: state !== 'live', onSure: () => act.mutate('recompute') },
                {
                  label: words.freeze,
                  text: words.freezeSure,
                  isDisabled: state !== 'live' || rule === null,
                  onSure: () => act.mutate('freeze'),
                },
                {
                  label: words.remove,
                  text: words.removeSure,
                  isDisabled: used_by.length + campaigns.length > 0,
                  onSure: () => remove.mutate(),
                },
              ]}
            />
          </IfMay>
        </Group>
      </Group>
      {reason !== null && <Alert color="red">{reason}</Alert>}
      <Card withBorder>
        {/* The tab of the rule shows the sentence itself. */}
        {tab !== 'rule' && (
          <Text size="lg" mb="sm">
            {sentenceOf(rule, sentence)}
          </Text>
        )}
        <Group gap="xl">
          <Text className="figure">
            <b>{number(members)}</b> {common.membersOf(members)}
          </Text>
          {left_out > 0 && (
            <Text className="figure" c="dimmed">
              {number(left_out)} {words.protected}
            </Text>
          )}
          <Text c="dimmed">
            {words.usedBy}: <SegmentUses brand={brand} segments={used_by} campaigns={campaigns} />
          </Text>
        </Group>
      </Card>
      <Tabs value={tab} onChange={(to) => change('tab', to === 'members' ? null : to)} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="members">{words.rows.members}</Tabs.Tab>
          <Tabs.Tab value="transitions">{words.rows.transitions}</Tabs.Tab>
          <Tabs.Tab value="rule">{words.rule}</Tabs.Tab>
          <Tabs.Tab value="versions">{words.rows.versions}</Tabs.Tab>
          <Tabs.Tab value="overlap">{words.overlap}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="members" pt="md">
          <List
            name={[brand, 'segment', code, 'members']}
            refreshMs={refreshMs}
            read={(cursor) =>
              bodyOf(
                api.GET('/api/console/v1/brands/{brand}/segments/{code}/members', {
                  params: { path, query: cursor ? { cursor } : {} },
                }),
              )
            }
            keyOf={({ player_id }) => player_id}
            empty={words.nobody}
            columns={[
              { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
              { title: words.memberSince, show: ({ since }) => <Moment at={since} /> },
            ]}
          />
        </Tabs.Panel>
        <Tabs.Panel value="versions" pt="md">
          <SegmentVersions brand={brand} code={code} />
        </Tabs.Panel>
        <Tabs.Panel value="overlap" pt="md">
          <SegmentOverlap brand={brand} code={code} />
        </Tabs.Panel>
        <Tabs.Panel value="transitions" pt="md">
          <TransitionsChart brand={brand} code={code} />
          <List
            name={[brand, 'segment', code, 'transitions']}
            refreshMs={refreshMs}
            read={(cursor) =>
              bodyOf(
                api.GET('/api/console/v1/brands/{brand}/segments/{code}/transitions', {
                  params: { path, query: cursor ? { cursor } : {} },
                }),
              )
            }
            keyOf={({ transition_id }) => transition_id}
            empty={words.noTransitions}
            columns={[
              { title: common.when, show: ({ at }) => <Moment at={at} /> },
              { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
              { title: common.state, show: ({ transition }) => <State of={transition} label={player[transition]} /> },
              { title: common.reason, show: ({ cause }) => causeWords(cause, codeName) },
            ]}
          />
        </Tabs.Panel>
        <Tabs.Panel value="rule" pt="md">
          {editable === null ? (
            <SegmentList brand={brand} code={code} draft={draft} revision={segment.data.revision} />
          ) : (
            <SegmentRule brand={brand} code={code} rule={editable} draft={draft} revision={segment.data.revision} />
          )}
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
