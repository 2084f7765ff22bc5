import { Alert, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type CampaignShown, campaignQuery } from '../api/queries.ts';
import { campaignPage } from '../text/campaign-page.ts';
import { useWords } from '../text/text.tsx';
import { useFilters } from '../ui/filters.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { IfMay } from '../ui/may.tsx';
import { lazyPart } from '../ui/parts/lazy-part.tsx';
import { useNameOfPlace } from '../ui/place-titles.ts';
import { TabRow } from '../ui/tab-row.tsx';
import { FailedPage, LoadingPage } from '../ui/unready-page.tsx';
import { Moment, State, useNumber } from '../ui/values.tsx';
import { RecallMessages } from './bulk/recall-messages.tsx';
import { Controls } from './campaign/controls.tsx';
import { type Draft, read } from './campaign/draft/edits.ts';
import { useDraft } from './campaign/draft/use-draft.ts';
import { EditingProvider } from './campaign/editing-provider.tsx';
import { Editor } from './campaign/editor.tsx';
import { EnterPlayer } from './campaign/enter-player.tsx';
import { CampaignRuns } from './campaign/runs.tsx';
import { CampaignStarts } from './campaign/starts.tsx';
import type { ScenarioState } from './campaign/trial/scenario-state.ts';

const Trial = lazyPart(() => import('./campaign/trial/trial.tsx'));
const Results = lazyPart(() => import('./campaign/results/results.tsx'));
const Versions = lazyPart(() => import('./campaign/versions/versions.tsx'));

const tabs = ['edit', 'try', 'results', 'runs', 'versions'] as const;

/** One campaign: its draft, trials, results, runs and versions. */
export function Campaign() {
  const { brand, code } = useParams({ from: '/$brand/campaigns/$code' });
  const campaign = useQuery(campaignQuery(brand, code));
  if (campaign.isPending) return <LoadingPage />;
  if (campaign.isLoadingError) return <FailedPage error={campaign.error} onRetry={() => campaign.refetch()} />;
  return <Loaded key={`${brand} ${code}`} brand={brand} code={code} campaign={campaign.data} />;
}

function Loaded({ brand, code, campaign }: { brand: string; code: string; campaign: CampaignShown }) {
  const words = useWords(campaignPage);
  const number = useNumber();
  const { filters, change } = useFilters();
  const { name, state, reason, unchecked, share, entered, running, version, document } = campaign;
  const rejection = campaign.draft?.rejection;
  useNameOfPlace(name);
  const stored = { content: (campaign.draft?.document ?? document) as unknown as Draft, revision: campaign.revision };
  const draft = useDraft(brand, code, stored);
  const [scenario, setScenario] = useState<ScenarioState>();
  const tab = tabs.find((one) => one === filters.tab) ?? 'edit';
  const choose = (to: string | null) => change('tab', to === 'edit' ? null : to);
  return (
    <EditingProvider brand={brand} code={code} draft={draft}>
      <Stack gap="md">
        <Group justify="space-between">
          <Group>
            <Title order={2}>{name}</Title>
            <State of={state} />
            <Text c="dimmed" size="sm" className="figure">
              {number(entered)} {words.entered} · {number(running)} {words.running}
              {campaign.draft !== null && version !== null && ` · ${words.draft}`}
            </Text>
          </Group>
          <Group gap="xs">
            {version !== null && (
              <IfMay permission="message.recall">
                <RecallMessages campaignId={code} continues={state === 'live' ? 'campaign' : undefined} />
              </IfMay>
            )}
            {state === 'live' && read(document, ['entry', 'api']) === true && (
              <IfMay permission="campaign.manage">
                <EnterPlayer brand={brand} code={code} showRuns={() => choose('runs')} />
              </IfMay>
            )}
            <Controls
              brand={brand}
              code={code}
              state={state}
              share={share}
              onlyDraft={version === null ? (campaign.draft?.document as unknown as Draft | undefined) : undefined}
            />
          </Group>
        </Group>
        {reason !== null && <Alert color="yellow">{reason}</Alert>}
        {unchecked !== null && (
          <Alert color="yellow" title={words.unchecked}>
            {unchecked.reason} (<Moment at={unchecked.since} />)
          </Alert>
        )}
        {rejection != null && (
          <Alert color="yellow" title={words.rejectedBy(rejection.rejected_by)}>
            <Text size="sm">
              {rejection.reason} (<Moment at={rejection.rejected_at} />)
            </Text>
            <Text size="sm">{words.afterRejection}</Text>
          </Alert>
        )}
        <Tabs value={tab} onChange={choose} keepMounted={false}>
          <TabRow tabs={tabs.map((value) => ({ value, label: words.tabs[value] }))} active={tab} onChoose={choose} />
          <Tabs.Panel value="edit" pt="md">
            <Editor
              code={code}
              draft={draft}
              hasDraft={campaign.draft !== null}
              inForce={version === null ? undefined : document}
            />
          </Tabs.Panel>
          <Tabs.Panel value="try" pt="md">
            <Trial
              code={code}
              revision={campaign.revision}
              isChanged={draft.isChanged}
              scenario={scenario}
              setScenario={setScenario}
            />
          </Tabs.Panel>
          <Tabs.Panel value="results" pt="md">
            <Results brand={brand} code={code} />
          </Tabs.Panel>
          <Tabs.Panel value="runs" pt="md">
            <Stack gap="lg">
              {read(document, ['entry', 'schedule']) !== undefined && <CampaignStarts brand={brand} code={code} />}
              <CampaignRuns brand={brand} code={code} />
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="versions" pt="md">
            <Versions
              code={code}
              stored={stored}
              isChanged={draft.isChanged}
              onRestored={draft.replace}
              remember={draft.remember}
            />
          </Tabs.Panel>
        </Tabs>
        <LeaveGuard isChanged={draft.isChanged} isSaving={draft.isSaving} />
      </Stack>
    </EditingProvider>
  );
}
