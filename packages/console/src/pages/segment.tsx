import { Alert, Button, Card, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { type SegmentShown, segmentQuery } from '../api/queries.ts';
import { useText } from '../text/text.tsx';
import { useAct } from '../ui/act.tsx';
import { useEdited } from '../ui/edited.ts';
import { useFilters } from '../ui/filters.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { List } from '../ui/list.tsx';
import { IfMay } from '../ui/may.tsx';
import { MoreMenu } from '../ui/more-menu.tsx';
import { NumberLink } from '../ui/number-link.tsx';
import { useNameOfPlace } from '../ui/place-titles.ts';
import { TabRow } from '../ui/tab-row.tsx';
import { To } from '../ui/to.tsx';
import { useUndo } from '../ui/undo.tsx';
import { FailedPage, LoadingPage } from '../ui/unready-page.tsx';
import { Moment, State } from '../ui/values.tsx';
import { OrderMessage } from './bulk/order-message.tsx';
import { OrderOffer } from './bulk/order-offer.tsx';
import { PlayerLink } from './player-link.tsx';
import { RuleSentence } from './rule/rule-sentence.tsx';
import { writeRule } from './rule/rule-text.ts';
import { SegmentList } from './segment/list.tsx';
import { SegmentOverlap } from './segment/overlap.tsx';
import { SegmentProgress } from './segment/progress.tsx';
import { RenameSegment } from './segment/rename.tsx';
import { SegmentRule, savingRule } from './segment/rule.tsx';
import { TransitionsChart } from './segment/transitions-chart.tsx';
import { SegmentVersions } from './segment/versions.tsx';
import { SegmentUses } from './segment-uses.tsx';
import { TransitionCause } from './transition-cause.tsx';

/** A draft that was deleted, which Undo creates again. */
interface FormerDraft {
  name: string;
  rule: unknown;
  include_protected: boolean;
}

const refreshMs = 2_000;
const tabs = ['members', 'transitions', 'rule', 'versions', 'overlap'] as const;

/** One segment, with its sentence, its members, and recent transitions. */
export function Segment() {
  const { brand, code } = useParams({ from: '/$brand/segments/$code' });
  const segment = useQuery(segmentQuery(brand, code));
  useNameOfPlace(segment.data?.name);
  if (segment.isPending) return <LoadingPage />;
  if (segment.isLoadingError) return <FailedPage error={segment.error} onRetry={() => segment.refetch()} />;
  return <Loaded key={`${brand} ${code}`} brand={brand} code={code} segment={segment.data} />;
}

function Loaded({ brand, code, segment }: { brand: string; code: string; segment: SegmentShown }) {
  const { segments: words, common, player } = useText();
  const { filters, set } = useFilters();
  const tab = tabs.find((one) => one === filters.tab) ?? 'members';
  const queries = useQueryClient();
  const act = useAct(
    (action: 'pause' | 'resume' | 'recompute') =>
      api.POST(`/api/console/v1/brands/{brand}/segments/{code}/${action}`, { params: { path: { brand, code } } }),
    { touches: [brand, 'segment', code] },
  );
  const freeze = useAct(
    (revision: string) =>
      api.POST('/api/console/v1/brands/{brand}/segments/{code}/freeze', {
        params: { path: { brand, code }, query: { revision } },
      }),
    { touches: [brand, 'segment', code] },
  );
  const offerUndo = useUndo();
  const pause = () =>
    act.mutate('pause', { onSuccess: () => offerUndo(words.paused, () => act.mutateAsync('resume')) });
  const resume = () =>
    act.mutate('resume', { onSuccess: () => offerUndo(words.resumed, () => act.mutateAsync('pause')) });
  const navigate = useNavigate();
  const bringBack = async ({ name, rule, include_protected }: FormerDraft) => {
    await api.POST('/api/console/v1/brands/{brand}/segments', {
      params: { path: { brand } },
      body: { code, name, rule: rule as never, include_protected },
    });
    await queries.invalidateQueries({ queryKey: [brand, 'segments'] });
    await navigate({ to: '/$brand/segments/$code', params: { brand, code } });
  };
  const remove = useAct(
    async (former: FormerDraft | undefined) => {
      await api.DELETE('/api/console/v1/brands/{brand}/segments/{code}', { params: { path: { brand, code } } });
      return former;
    },
    {
      touches: [brand, 'segments'],
      deletes: [brand, 'segment', code],
      onDone: async (former) => {
        await navigate({ to: '/$brand/segments', params: { brand }, ignoreBlocker: true });
        queries.removeQueries({ queryKey: [brand, 'segment', code], type: 'inactive' });
        if (former !== undefined) offerUndo(common.removed(former.name), () => bringBack(former));
      },
    },
  );
  const {
    name,
    sentence,
    state,
    reason,
    failed_version,
    members,
    protected: left_out,
    used_by,
    campaigns,
    rule,
    version,
    draft,
    computed_at,
    progress,
    can_cancel,
    slowed,
    revision,
    include_protected,
  } = segment;
  // If there is a draft, this is the rule of the draft. It is null if the draft is a list, as for a frozen segment.
  const editable = draft === null ? rule : draft.rule;
  // The page keeps the changes of the rule while another tab is open.
  const edited = useEdited({ content: editable === null ? '' : writeRule(editable), revision });
  const includesProtected = useEdited({ content: String((draft ?? segment).include_protected), revision });
  const [typed, setTyped] = useState({ content: '', revision });
  const isChanged = edited.isChanged || includesProtected.isChanged || typed.content !== '';
  const [isRenaming, renaming] = useDisclosure();
  const isSaving = useIsMutating({ mutationKey: savingRule(brand, code) }) > 0;
  const path = { brand, code };
  const labels = { ...words.rows, rule: words.rule, overlap: words.overlap };
  const choose = (to: string | null) => set(to === null || to === 'members' ? {} : { tab: to });
  /** Whether the first tab lists the players who would be members if they were not protected. */
  const areProtected = filters.protected === 'true';
  // A version that replaces the failed one makes a recomputation of the failed one useless, and the platform refuses it.
  const mayRecompute = state === 'live' || (state === 'failed' && progress === null);
  // Undo is offered only for a draft of a rule. A draft of a list cannot be created again, because the list may have contained players
  // whom the platform did not know.
  const onlyRule = state === 'draft' && version === draft?.version ? draft.rule : null;
  return (
    <Stack gap="lg">
      <LeaveGuard isChanged={isChanged} isSaving={isSaving} />
      <Group justify="space-between">
        <Group>
          <Title order={2}>{name}</Title>
          <State of={state} />
          <Text c="dimmed" size="sm">
            {common.version} {version}
          </Text>
        </Group>
        <Group>
          <IfMay permission="message.send">
            <OrderMessage brand={brand} segment={{ code, name, members }} />
          </IfMay>
          <IfMay permission="bonus.credit">
            <OrderOffer brand={brand} segment={{ code, name, members }} />
          </IfMay>
          <IfMay permission="segment.manage">
            {state === 'paused' ? (
              <Button variant="default" onClick={resume}>
                {words.resume}
              </Button>
            ) : (
              <Button variant="default" onClick={pause} disabled={state !== 'live'}>
                {words.pause}
              </Button>
            )}
          </IfMay>
          <IfMay permission="list.export">
            {computed_at !== null && (
              <Button
                component="a"
                variant="default"
                href={`/api/console/v1/brands/${brand}/segments/${code}/members.csv`}
              >
                {words.exportCsv}
              </Button>
            )}
          </IfMay>
          <IfMay permission="segment.manage">
            <MoreMenu
              actions={[
                { label: words.rename, isDisabled: false, onSure: renaming.open },
                { label: words.recompute, isDisabled: !mayRecompute, onSure: () => act.mutate('recompute') },
                {
                  label: words.freeze,
                  text: draft === null ? words.freezeSure : words.freezeReplaces(draft.version),
                  isDisabled: state !== 'live' || rule === null,
                  onSure: () => freeze.mutate(revision),
                },
                {
                  label: words.remove,
                  ...(onlyRule === null && { text: words.removeSure }),
                  isDisabled: used_by.length + campaigns.length > 0,
                  onSure: () =>
                    remove.mutate(onlyRule === null ? undefined : { name, rule: onlyRule, include_protected }),
                },
              ]}
            />
            <RenameSegment {...{ brand, code, name, revision }} isOpen={isRenaming} onClose={renaming.close} />
          </IfMay>
        </Group>
      </Group>
      {reason !== null && (
        <Alert color="red" {...(failed_version !== null && { title: words.versionFailed(failed_version) })}>
          {reason}
        </Alert>
      )}
      {progress !== null && (
        <SegmentProgress
          brand={brand}
          code={code}
          progress={progress}
          isSlowed={slowed}
          canCancel={can_cancel}
          hasDraft={draft !== null}
        />
      )}
      <Card withBorder>
        {/* The tab of the rule shows the sentence itself. */}
        {tab !== 'rule' && (
          <Text size="lg" mb="sm">
            <RuleSentence rule={rule} english={sentence} />
          </Text>
        )}
        <Group gap="xl">
          <Text className="figure">
            <b>
              <NumberLink of={members} to={`segments/${code}`} />
            </b>{' '}
            {common.membersOf(members)}
          </Text>
          {left_out > 0 && (
            <Text className="figure" c="dimmed">
              <NumberLink of={left_out} to={`segments/${code}`} search={{ protected: 'true' }} /> {words.protected}
            </Text>
          )}
          <Text c="dimmed">
            {words.usedBy}: <SegmentUses brand={brand} segments={used_by} campaigns={campaigns} />
          </Text>
          <To to="messages/bulk-actions" search={{ segment: code }}>
            {words.bulkActions}
          </To>
        </Group>
      </Card>
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <TabRow tabs={tabs.map((value) => ({ value, label: labels[value] }))} active={tab} onChoose={choose} />
        <Tabs.Panel value="members" pt="md">
          {areProtected && (
            <Text c="dimmed" size="sm" mb="sm">
              {words.areProtected}
            </Text>
          )}
          <List
            name={[brand, 'segment', code, areProtected ? 'protected' : 'members']}
            refreshMs={refreshMs}
            read={(cursor) =>
              bodyOf(
                api.GET('/api/console/v1/brands/{brand}/segments/{code}/members', {
                  params: { path, query: { ...(areProtected && { protected: true }), ...(cursor && { cursor }) } },
                }),
              )
            }
            keyOf={({ player_id }) => player_id}
            empty={areProtected ? words.noProtected : words.nobody}
            columns={[
              { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
              { title: areProtected ? common.when : words.memberSince, show: ({ since }) => <Moment at={since} /> },
            ]}
          />
        </Tabs.Panel>
        <Tabs.Panel value="versions" pt="md">
          <SegmentVersions {...{ brand, code, revision, draft, isChanged }} />
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
              { title: common.reason, show: ({ cause }) => <TransitionCause cause={cause} /> },
            ]}
          />
        </Tabs.Panel>
        <Tabs.Panel value="rule" pt="md">
          {editable === null && !edited.isChanged ? (
            <SegmentList {...{ brand, code, typed, includesProtected, draft, revision }} onType={setTyped} />
          ) : (
            <SegmentRule {...{ brand, code, edited, includesProtected, draft, revision }} />
          )}
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
